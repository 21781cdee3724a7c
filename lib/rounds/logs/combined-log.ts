// A small access log and its mapping, for tests alone.

/** A line of the combined format, some seconds after ten o'clock. */
export const entry = (second: number): string =>
  `192.0.2.1 - - [25/Oct/2026:10:00:0${second} +0000] "GET / HTTP/1.1" 200 1\n`;

export const MAPPING = {
  version: 1,
  format: { id: "combined" },
  tenant: { by: "address", field: "remote_addr" },
  arrival: { field: "time_local", unit: "clf" },
  cost: { by: "constant", cost: 1 },
  mode: { by: "constant", mode: "hard" },
  req_id: { by: "line" },
};

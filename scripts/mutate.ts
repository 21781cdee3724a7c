// npm run mutate [room…] [file…]: changes the sources in every small way that is known, and demands that a test notices.
import { mutateRoom } from "./mutation/mutate-room.ts";
import { ROOMS } from "./mutation/rooms.ts";

const wanted = process.argv.slice(2);
// A file is told from a room by its slash; what was found of other files is kept for the next run.
const files = wanted.filter((name) => name.includes("/"));
const names = wanted.filter((name) => !name.includes("/"));
const unknown = names.filter((name) => !ROOMS.some((room) => room.name === name));
if (unknown.length > 0) {
  console.error(`no room ${unknown.join(", ")}; known: ${ROOMS.map(({ name }) => name).join(", ")}`);
  process.exit(1);
}
if (files.length > 0 && names.length !== 1) {
  console.error("files are mutated in one room: name it first");
  process.exit(1);
}
const rooms = ROOMS.filter(({ name }) => names.length === 0 || names.includes(name));
let isWell = true;
for (const room of rooms) {
  const found = await mutateRoom(room, files);
  isWell &&= found;
}
process.exit(isWell ? 0 : 1);

import { expect, test } from "vitest";
import { RowTable } from "./row-table.ts";

function tableOf(rows: readonly (readonly [req_id: string, tenant: string])[]): RowTable {
  const table = new RowTable();
  rows.forEach(([req_id, tenant], at) => {
    const bytes = new TextEncoder().encode(req_id + tenant);
    const id_end = new TextEncoder().encode(req_id).length;
    const names = { bytes, id_start: 0, id_end, tenant_start: id_end, tenant_end: bytes.length };
    table.add({ ...names, arrival_ms: at, cost_micro: at * 2, soft: at % 2 === 0 }, at + 1);
  });
  return table;
}

test("tenants whose fingerprints are the same are told apart, also where one begins with the other", () => {
  // Found by solving the fingerprint: each line's names have one print.
  const alike = [
    ["ab", "bA", "c "],
    ["tenant", "tenantBWQNZCD"],
  ];
  for (const names of alike) {
    const table = tableOf([...names, ...names].map((name, at) => [`r${at}`, name]));
    expect(table.tenants).toEqual(names);
    expect(Array.from({ length: table.count }, (_, row) => table.tenantName(row))).toEqual([
      ...names,
      ...names,
    ]);
  }
});

test("a tenant is the same whatever stands behind its name, and another one where it does not end", () => {
  const table = new RowTable();
  for (const behind of ["", '"', "x", ""]) {
    const bytes = new TextEncoder().encode(`it${behind}`);
    const names = { bytes, id_start: 0, id_end: 1, tenant_start: 1, tenant_end: 2 };
    table.add({ ...names, arrival_ms: 0, cost_micro: 1, soft: true }, 1);
  }
  expect(table.tenants).toEqual(["t"]);
});

test.each([
  ["last", (at: number) => `a-tenant-${String.fromCharCode(0x100 + at)}`],
  ["first", (at: number) => `${String.fromCharCode(0x100 + at)}-a-tenant`],
])("tenants that differ in their %s mark only are not compared one by one", (_, name) => {
  const table = new RowTable();
  const count = 500;
  let read = 0;
  for (let at = 0; at < count; at++) {
    const plain = new TextEncoder().encode(`i${name(at)}`);
    const bytes = new Proxy(plain, {
      get: (_, key) => {
        read += 1;
        return key === "slice" ? plain.slice.bind(plain) : Reflect.get(plain, key, plain);
      },
    });
    const names = { bytes, id_start: 0, id_end: 1, tenant_start: 1, tenant_end: plain.length };
    table.add({ ...names, arrival_ms: 0, cost_micro: 1, soft: true }, at + 1);
  }
  expect(table.tenants).toHaveLength(count);
  expect(read).toBeLessThan(20 * count);
});

test("a name may begin with the mark that begins files (§1.4)", () => {
  const names = ["\uFEFF", "\uFEFFa", `\uFEFF${"x".repeat(100)}`];
  const table = tableOf(names.map((name) => [name, name]));
  expect(names.map((_, row) => table.idText(row))).toEqual(names);
  expect(table.tenants).toEqual(names);
});

test("a table of a few rows has the room that it began with", () => {
  const room = (rows: number) => {
    const { tenant, id_end, ids } = tableOf(Array.from({ length: rows }, (_, at) => [`r${at}`, "t"])).pack();
    return [tenant.length, id_end.length, ids.length];
  };
  expect(room(2)).toEqual(room(0));
});

test("rows are kept as they came, however many there are and however long their ids", () => {
  const ids = Array.from({ length: 3000 }, (_, at) => `${"é".repeat(at % 100)}${at}`);
  const table = tableOf(ids.map((id) => [id, `t${id.length}`]));
  const rows = Array.from({ length: table.count }, (_, row) => row);
  expect(rows.map((row) => table.idText(row))).toEqual(ids);
  expect(rows.map((row) => table.tenantName(row))).toEqual(ids.map((id) => `t${id.length}`));
  expect(rows.map((row) => table.arrival_ms[row])).toEqual(rows);
  expect(rows.map((row) => table.cost_micro[row])).toEqual(rows.map((row) => row * 2));
  expect(rows.map((row) => table.soft[row])).toEqual(rows.map((row) => (row + 1) % 2));
  expect(rows.map((row) => table.line[row])).toEqual(rows.map((row) => row + 1));
});

test("the room of ids grows in few steps and never far beyond what they take", () => {
  const id = "x".repeat(250);
  const sizes = new Set<number>();
  const table = new RowTable();
  const bytes = new TextEncoder().encode(`${id}t`);
  const names = { bytes, id_start: 0, id_end: 250, tenant_start: 250, tenant_end: 251 };
  for (let at = 0; at < 4000; at += 1) {
    table.add({ ...names, arrival_ms: 0, cost_micro: 1, soft: true }, at + 1);
    sizes.add(table.pack().ids.length);
  }
  expect(Math.max(...sizes)).toBeLessThanOrEqual(2 * 4000 * 250);
  expect(sizes.size).toBeLessThan(10);
});

test("without some rows the others stay as they are, and tenants that only those named are gone", () => {
  const table = tableOf([
    ["a", "one"],
    ["b", "two"],
    ["c", "one"],
    ["d", "three"],
  ]);
  const rest = table.without([1, 2]);
  expect([rest.count, rest.tenants]).toEqual([2, ["one", "three"]]);
  expect([rest.idText(0), rest.idText(1)]).toEqual(["a", "d"]);
  expect([rest.line[0], rest.arrival_ms[0], rest.cost_micro[0], rest.soft[0]]).toEqual([1, 0, 0, 1]);
  expect([rest.line[1], rest.arrival_ms[1], rest.cost_micro[1], rest.soft[1]]).toEqual([4, 3, 6, 0]);
});

test("ids that end beyond 32 bits are an error before any room is made for them", () => {
  // A table whose first id would end four bytes before that.
  const packed = { count: 1, names: ["t"], ids: new Uint8Array(8), tenant: new Uint32Array(2) };
  const table = new RowTable({ ...packed, id_end: Uint32Array.of(2 ** 32 - 4, 0) });
  const bytes = new TextEncoder().encode("idst");
  const names = { bytes, id_start: 0, id_end: 4, tenant_start: 3, tenant_end: 4 };
  expect(() => table.add({ ...names, arrival_ms: 0, cost_micro: 1, soft: true }, 1)).toThrow(
    "the ids of the stream have more than 4 GiB",
  );
  expect(table.count).toBe(1);
});

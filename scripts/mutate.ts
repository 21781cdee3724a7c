// npm run mutate [room…]: changes the sources in every small way that is known, and demands that a test notices each.
import { mutateRoom } from "./mutation/mutate-room.ts";
import { ROOMS } from "./mutation/rooms.ts";

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !ROOMS.some((room) => room.name === name));
if (unknown.length > 0) {
  console.error(`no room ${unknown.join(", ")}; known: ${ROOMS.map(({ name }) => name).join(", ")}`);
  process.exit(1);
}
const rooms = ROOMS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
let isWell = true;
for (const room of rooms) {
  const found = await mutateRoom(room);
  isWell &&= found;
}
process.exit(isWell ? 0 : 1);

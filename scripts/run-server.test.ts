import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const RUN_SERVER = fileURLToPath(new URL("./run-server.js", import.meta.url));
const SERVER =
  'process.on("SIGTERM", () => { console.log("ended in order"); process.exit(7); }); setInterval(() => {}, 1000); console.log("serves");';
const SCRIPT = `import { runServer } from ${JSON.stringify(RUN_SERVER)}; runServer(process.execPath, ["-e", ${JSON.stringify(SERVER)}], {});`;

/** Starts the script of a server, and says what the server printed until nobody holds its output any more. */
async function started(command: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  const serves = new Promise<void>((resolve) => {
    child.stdout.on("data", (bytes: Buffer) => {
      said += bytes;
      if (said.includes("serves")) resolve();
    });
  });
  const closed = once(child, "close") as Promise<[number | null]>;
  await serves;
  return { child, ended: closed.then(([code]) => ({ code, said })) };
}

const { npm_lifecycle_event: _, ...bare } = process.env;
const args = ["--input-type=module", "-e", SCRIPT];

test("a signal is handed on, and the script ends as its server does", async () => {
  const { child, ended } = await started(process.execPath, args, bare);
  child.kill("SIGTERM");
  expect(await ended).toEqual({ code: 7, said: "serves\nended in order\n" });
});

test("where npm's shell ends and hands nothing on, the server ends in order and holds its ports no longer", async () => {
  // With something behind it, the shell does not become the script.
  const shell = ["-c", '"$0" "$@"; exit $?', process.execPath, ...args];
  const { child, ended } = await started("sh", shell, { ...bare, npm_lifecycle_event: "gate" });
  child.kill("SIGKILL");
  expect((await ended).said).toBe("serves\nended in order\n");
});

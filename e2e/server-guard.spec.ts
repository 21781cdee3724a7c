import { spawnSync } from "node:child_process";
import { request as send } from "node:http";
import { expect, test } from "@playwright/test";

/** Status of a request with headers that a browser would not let a page set. */
function statusOf(
  base: string,
  method: string,
  path: string,
  headers: Record<string, string>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = send(new URL(path, base), { method, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    request.on("error", reject);
    request.end();
  });
}

const foreign = { "Sec-Fetch-Site": "cross-site", Origin: "http://evil.example" };

test("a cross-site write is answered 403, on pages and on uploads", async ({ baseURL }) => {
  expect(await statusOf(baseURL!, "POST", "/rounds/new", foreign)).toBe(403);
  expect(
    await statusOf(baseURL!, "POST", "/api/uploads", {
      ...foreign,
      "Upload-Length": "1",
      "Tus-Resumable": "1.0.0",
    }),
  ).toBe(403);
  expect(
    await statusOf(baseURL!, "POST", "/api/uploads", { Origin: "http://127.0.0.1:1", "Upload-Length": "1" }),
  ).toBe(403);
});

test("a name this server does not go by is answered 403", async ({ baseURL }) => {
  expect(await statusOf(baseURL!, "GET", "/rounds", { Host: "rebound.example" })).toBe(403);
});

test("an upload above the limit is refused before it begins", async ({ baseURL }) => {
  const headers = { "Upload-Length": String(3 * 1024 ** 3), "Tus-Resumable": "1.0.0" };
  expect(await statusOf(baseURL!, "POST", "/api/uploads", headers)).toBe(413);
});

test("every page carries its security headers", async ({ request }) => {
  const headers = (await request.get("/rounds")).headers();
  expect(headers["content-security-policy"]).toMatch(/script-src 'self' 'nonce-[^']+' 'strict-dynamic';/);
  expect(headers["x-content-type-options"]).toBe("nosniff");
  expect(headers["referrer-policy"]).toBe("no-referrer");
  expect(headers["x-powered-by"]).toBeUndefined();
});

test("a second server on the same data folder is refused before it says that it is ready", () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/start.js"], {
    encoding: "utf8",
    env: { ...process.env, THROTTLE_DATA: process.env.THROTTLE_E2E_DATA, PORT: "0" },
  });
  expect(stderr).toContain("is in use by another process");
  expect(stdout).toBe("");
  expect(status).toBe(3);
});

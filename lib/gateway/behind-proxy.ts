import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";

/** What a gate behind a proxy is tried with: a service with a limit, one that challenges, and one that is free. */
export const BEHIND_PROXY = {
  services: [
    {
      ...{ name: "shop", host: "^shop\\.example$", path: "^/api/", auth: "off", price: 0 },
      rules: [{ id: "two a day", requests: 2, per: "1d" }],
    },
    { name: "paid", path: "^/paid/", auth: "on", price: 7, rules: [] },
    { name: "open", path: "^/open/", auth: "off", price: 0, rules: [] },
  ],
  trusted_proxies: ["127.0.0.0/8"],
};

/** Headers by which a client might say that it is somebody else, or asks for something else. */
export const LIES = [
  { "x-forwarded-for": "203.0.113.9" },
  { "x-forwarded-uri": "/open/" },
  { "x-original-for": "203.0.113.9" },
  { "x-forwarded-host": "other.example" },
  { "x-original-url": "http://other.example/open/" },
  { "x-original-uri": "/open/" },
];

/** A port of this machine that nobody listens on now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** The proxy's configuration that the README shows, with the gate and the service behind it where they are. */
export async function shownInReadme(shown: RegExp, gate: string, upstream: string): Promise<string> {
  const readme = await readFile(new URL("../../README.md", import.meta.url), "utf8");
  const found = shown.exec(readme)?.[1];
  if (found === undefined) throw new Error(`the README shows nothing like ${shown}`);
  return found.replaceAll("127.0.0.1:8080", gate).replaceAll("127.0.0.1:3000", upstream);
}

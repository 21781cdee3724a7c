import { mkdirSync } from "node:fs";
import { FileStore } from "@tus/file-store";
import { Server } from "@tus/server";
import { refusal } from "../../../../lib/rounds/request-guard.ts";
import { maxUploadBytes, uploadsDir } from "../../../../lib/rounds/settings.ts";
import { answerFullDisk } from "../full-disk.ts";

export const dynamic = "force-dynamic";

let server: Server | undefined;

/** Resumable uploads by the tus protocol: written to disk as they come, never held whole. */
function uploads(): Server {
  if (server !== undefined) return server;
  mkdirSync(uploadsDir(), { recursive: true });
  server = new Server({
    path: "/api/uploads",
    datastore: new FileStore({ directory: uploadsDir() }),
    maxSize: maxUploadBytes(),
    relativeLocation: true,
    respectForwardedHeaders: false,
    // What the server itself refuses has a status of its own; what could not be written has not.
    onResponseError: (request, error) =>
      "status_code" in error && error.status_code < 500
        ? undefined
        : answerFullDisk(uploadsDir(), request.url),
  });
  return server;
}

async function handle(request: Request): Promise<Response> {
  const refused = refusal(request.method, request.headers);
  return refused === null ? uploads().handleWeb(request) : new Response(refused, { status: 403 });
}

export {
  handle as DELETE,
  handle as GET,
  handle as HEAD,
  handle as OPTIONS,
  handle as PATCH,
  handle as POST,
};

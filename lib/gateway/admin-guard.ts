import { hash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { problemReply, type Reply } from "./reply.ts";

const digest = (text: string): Buffer => hash("sha256", text, "buffer");

/** Whether two texts are the same, in a time that does not tell where they differ. */
const isSame = (given: string, expected: string): boolean => timingSafeEqual(digest(given), digest(expected));

const OWN_HOST = /^(?:127(?:\.\d{1,3}){3}|\[::1\]|localhost)(?::\d+)?$/i;

/**
 * Why a request to the admin interface is refused, or null. It is for programs on this machine: a name that was made to
 * point here, or a page in a browser, is refused whatever token it has.
 */
export function adminRefusal({ headers }: IncomingMessage, token: string): Reply | null {
  if (!OWN_HOST.test(headers.host ?? ""))
    return problemReply(403, "The admin interface goes by 127.0.0.1, [::1] or localhost alone.");
  if (headers.origin !== undefined || (headers["sec-fetch-site"] ?? "none") !== "none")
    return problemReply(403, "The admin interface is not for pages in a browser.");
  const given = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? "")?.[1];
  if (given === undefined || !isSame(given, token))
    return problemReply(401, "The admin token is missing or wrong.", {}, [
      "WWW-Authenticate",
      'Bearer realm="gate admin"',
    ]);
  return null;
}

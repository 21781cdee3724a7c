import { type NextRequest, NextResponse } from "next/server";
import { refusal } from "./lib/rounds/request-guard.ts";
import { OPENS, shareVisit, VISIT, VISIT_LIFE_S } from "./lib/rounds/sharing/share-visit.ts";

/** Scripts only with this answer's nonce; styles inline, since components set their measures in style attributes. */
function contentSecurityPolicy(nonce: string): string {
  const isDevelopment = process.env.NODE_ENV === "development";
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ""}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Refuses what other sites send, sets the policy for scripts on every page, and tells the first page of a visit. */
export function proxy(request: NextRequest): NextResponse {
  const refused = refusal(request.method, request.headers);
  if (refused !== null) return new NextResponse(refused, { status: 403 });
  const policy = contentSecurityPolicy(Buffer.from(crypto.randomUUID()).toString("base64"));
  const headers = new Headers(request.headers);
  // Next reads the nonce for its own scripts from the policy of the request.
  headers.set("Content-Security-Policy", policy);
  const visit = shareVisit(request.nextUrl.pathname, request.cookies.has(VISIT));
  // Nobody else says so.
  headers.delete(OPENS);
  if (visit?.opens) headers.set(OPENS, "1");
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("Content-Security-Policy", policy);
  if (visit !== null)
    response.cookies.set(VISIT, "1", {
      path: visit.path,
      httpOnly: true,
      sameSite: "lax",
      maxAge: VISIT_LIFE_S,
    });
  return response;
}

// Not the uploads: a body that passes a proxy is cut at 10 MB. Their handlers ask the same guard themselves.
export const config = {
  matcher: ["/((?!api/uploads|api/gate/audit|api/gate/dry-run|_next/static|_next/image|favicon.ico).*)"],
};

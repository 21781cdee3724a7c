import "@mantine/core/styles.css";
import "@mantine/dropzone/styles.css";
import "./globals.css";
import { ColorSchemeScript, mantineHtmlProps } from "@mantine/core";
import type { Metadata } from "next";
import { cookies, headers } from "next/headers";
import type { ReactNode } from "react";
import { Providers } from "../components/shell/providers.tsx";
import { ZONE_COOKIE } from "../components/shell/zone-cookie.ts";

export const metadata: Metadata = {
  title: { default: "tenantthrottle", template: "%s · tenantthrottle" },
  description: "Makes a false green of a multi-tenant rate limiter visible.",
};

/** The nonce of this answer's policy for scripts, as proxy.ts set it. */
async function scriptNonce(): Promise<string | undefined> {
  return /'nonce-([^']+)'/.exec((await headers()).get("content-security-policy") ?? "")?.[1];
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = await scriptNonce();
  const zone = (await cookies()).get(ZONE_COOKIE)?.value ?? "";
  return (
    <html lang="en" {...mantineHtmlProps}>
      <head>
        <ColorSchemeScript defaultColorScheme="auto" {...(nonce === undefined ? {} : { nonce })} />
      </head>
      <body>
        <a className="skip-link" href="#main">
          Skip to content
        </a>
        <noscript>
          <p className="no-script">
            This console is drawn by scripts, and this browser runs none: what stays grey is not shown, and is
            not “nothing wrong”. The command line needs no browser: npm run -s throttle -- --help
          </p>
        </noscript>
        <Providers zone={zone}>{children}</Providers>
      </body>
    </html>
  );
}

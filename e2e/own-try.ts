import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Page, test } from "@playwright/test";
import { NewRoundPage } from "./pages/new-round-page.ts";
import { RoundPage } from "./pages/round-page.ts";
import { scenarioFile } from "./scenario-files.ts";

/** More repetitions than a story ever has retries. */
const MOST_RETRIES = 10;

/** How often the story was told before: what an earlier try left behind is there still. */
function earlierTries(): number {
  const { retry, repeatEachIndex } = test.info();
  return repeatEachIndex * MOST_RETRIES + retry;
}

/** A name that no other try of the story gave to anything. */
export function ownName(name: string): string {
  const earlier = earlierTries();
  return earlier === 0 ? name : `try-${earlier + 1}-${name}`;
}

/** An empty line (§1.3) that no other try of any story has: what tells it, spelled in blanks. */
function ownEmptyLine(): string {
  const told = `${test.info().testId} ${earlierTries()}`;
  return [...Buffer.from(told)]
    .map((byte) => byte.toString(2).padStart(8, "0").replaceAll("0", " ").replaceAll("1", "\t"))
    .join("");
}

/**
 * A round over the scenario that only this try knows, for a story that leaves something with the round, or with its files:
 * an empty line makes the stream another, and its decisions the same. Returns its address.
 */
export async function ownRound(page: Page, name: string, faults: readonly string[] = []): Promise<string> {
  const form = new NewRoundPage(page);
  await form.open();
  await form.chooseStream(ownName(name), `${scenarioFile("requests.jsonl")}${ownEmptyLine()}\n`);
  await form.inject(faults);
  await form.run();
  await page.waitForURL(/\/rounds\/[0-9a-z]{20,}$/);
  await new RoundPage(page).signal("health").waitFor();
  return page.url();
}

/** So many requests that a round over them, or a recheck, surely goes on while pages are looked at. */
export const LONG = 1_500_000;

/** A file of so many requests, as its path; the browser reads it from there. */
export function longStream(name: string, requests = LONG): string {
  const line = (at: number) =>
    `{"req_id":"r-${at}","tenant":"t-beta","arrival_ms":${at},"cost":1,"mode":"soft"}\n`;
  const path = join(process.env.THROTTLE_E2E_DATA!, name);
  writeFileSync(path, Array.from({ length: requests }, (_, at) => line(at)).join(""));
  return path;
}

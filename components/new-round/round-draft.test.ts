import { afterEach, expect, test, vi } from "vitest";
import { noteUpload, type RoundDraft, readDraft, writeDraft } from "./round-draft.ts";

const document = { name: "policy.json", text: "{}", base: null, edition: 0 };
const draft: RoundDraft = {
  name: "last night",
  reading: "lenient",
  faults: ["float-arithmetic"],
  documents: { contract: document, policy: document },
  stream: { kind: "file", name: "access.log", bytes: 3, upload: null },
  log: { format: "", mapping: null },
  from: null,
};

/** A tab that keeps texts of at most so many characters. */
function stubTab(most: number): void {
  const kept = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    removeItem: (key: string) => kept.delete(key),
    setItem: (key: string, text: string) => {
      if (text.length > most) throw new DOMException("full", "QuotaExceededError");
      kept.set(key, text);
    },
  });
}
afterEach(() => vi.unstubAllGlobals());

test("a draft is read as it was written, until none is kept", () => {
  stubTab(10_000);
  expect(readDraft()).toBeNull();
  expect(writeDraft(draft)).toBe(true);
  expect(readDraft()).toEqual(draft);
  expect(writeDraft(null)).toBe(true);
  expect(readDraft()).toBeNull();
});

test("a draft that the browser does not take is told, and no older one stands for it", () => {
  stubTab(1000);
  writeDraft(draft);
  expect(writeDraft({ ...draft, name: "n".repeat(2000) })).toBe(false);
  expect(readDraft()).toBeNull();
});

test("an upload is noted with the draft of its file, and with no other", () => {
  stubTab(10_000);
  const upload = { upload_id: "0".repeat(32), sha256: "1".repeat(64), bytes: 3, name: "access.log" };
  noteUpload(upload);
  expect(readDraft()).toBeNull();
  writeDraft(draft);
  noteUpload({ ...upload, bytes: 4 });
  expect(readDraft()).toEqual(draft);
  noteUpload(upload);
  expect(readDraft()?.stream).toEqual({ kind: "file", name: "access.log", bytes: 3, upload });
});

import { expect, test } from "vitest";
import { missingParts, NO_FILES, partOf, placeFiles } from "./audit-files.ts";

const file = (name: string) => new File(["{}"], name);

test("a file is known by its name, whatever its case", () => {
  expect(
    [
      "contract.json",
      "My-Policy.JSON",
      "requests.json",
      "log.ndjson",
      "a.jsonl",
      "access.log.gz",
      "night.report.json",
      "x.bundle.zip",
    ].map(partOf),
  ).toEqual(["contract", "policy", "stream", "stream", "stream", "stream", "report", "bundle"]);
  for (const name of ["data.json", "", "__proto__", "constructor"]) expect(partOf(name)).toBeNull();
});

test("a bundle takes the place of single files, and a single file that of a bundle", () => {
  const four = placeFiles(NO_FILES, ["contract.json", "policy.json", "a.jsonl", "report.json"].map(file));
  expect(missingParts(four.files)).toEqual([]);
  const bundle = placeFiles(four.files, [file("b.zip")]);
  expect(bundle.files).toMatchObject({ ...NO_FILES, bundle: { name: "b.zip" } });
  expect(missingParts(bundle.files)).toEqual([]);
  const report = placeFiles(bundle.files, [file("report.json")]);
  expect(missingParts(report.files)).toEqual(["contract", "policy", "stream"]);
});

test("what fits in no place is told by its name", () => {
  expect(placeFiles(NO_FILES, [file("data.json")])).toMatchObject({
    files: NO_FILES,
    unplaced: ["data.json"],
  });
});

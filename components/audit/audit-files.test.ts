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

test("the one file whose name does not tell what it is goes to the one place that is empty", () => {
  const three = ["contract.json", "policy.json", "requests.jsonl"].map(file);
  const placed = placeFiles(NO_FILES, [...three, file("clean1.json")]);
  expect(placed).toMatchObject({ files: { report: { name: "clean1.json" } }, unplaced: [] });
  expect(placeFiles(placeFiles(NO_FILES, three).files, [file("clean1.json")]).unplaced).toEqual([]);
  const two = placeFiles(NO_FILES, [...three, file("a.json"), file("b.json")]);
  expect(two).toMatchObject({ files: { report: null }, unplaced: ["a.json", "b.json"] });
  expect(placeFiles(NO_FILES, [file("b.zip"), file("a.json")]).unplaced).toEqual(["a.json"]);
});

test("what fits in no place is told by its name", () => {
  expect(placeFiles(NO_FILES, [file("data.json")])).toMatchObject({
    files: NO_FILES,
    unplaced: ["data.json"],
  });
});

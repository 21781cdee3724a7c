import { expect, test } from "vitest";
import { inWords, isUnanswered } from "./unanswered.ts";

test.each([
  "Failed to fetch",
  "NetworkError when attempting to fetch resource.",
  "Load failed",
  "network error",
])("%j is what a browser says where nobody answered", (message) => {
  expect(inWords(new TypeError(message))).toContain("the server did not answer");
});

test("an upload that got no answer is told in the same words, one that was refused by the refusal", () => {
  const failed = (originalResponse: object | null) =>
    Object.assign(new Error("tus: failed to upload chunk"), { originalRequest: {}, originalResponse });
  expect(isUnanswered(failed(null))).toBe(true);
  expect(inWords(failed({ status: 500 }))).toBe("tus: failed to upload chunk");
});

test("an error of the program is not blamed on the server", () => {
  expect(inWords(new TypeError("x is not a function"))).toBe("x is not a function");
  expect(inWords("odd")).toBe("odd");
});

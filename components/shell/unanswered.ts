/** What a browser says of a request that nobody answered: Chromium, Firefox and WebKit each have words of their own. */
const UNANSWERED = /^(?:failed to fetch|networkerror\b.*|load failed|network ?error|fetch failed)\.?$/i;

/** Whether nobody answered: `fetch` rejects with a TypeError then, an upload with an error that has a request and no answer. */
export function isUnanswered(error: unknown): boolean {
  if (error instanceof TypeError) return UNANSWERED.test(error.message);
  if (!(error instanceof Error) || !("originalRequest" in error) || !("originalResponse" in error))
    return false;
  return error.originalRequest != null && error.originalResponse == null;
}

/** Whether it was ended on purpose, by an AbortController. */
export const isCancelled = (error: unknown): boolean =>
  error instanceof DOMException && error.name === "AbortError";

/** Why something did not work, in words that go on a sentence. */
export function inWords(error: unknown): string {
  if (isUnanswered(error))
    return "the server did not answer: it is down, is being started, or cannot be reached from here";
  return error instanceof Error ? error.message : String(error);
}

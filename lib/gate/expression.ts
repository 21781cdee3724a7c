import { RE2JS } from "re2js";

const PREFIX = "error parsing regexp: ";

/** Why RE2 refuses an expression, with the construct it refuses, or null (G1). */
export function expressionFault(text: string): string | null {
  try {
    RE2JS.compile(text);
    return null;
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(PREFIX, "") : String(error);
    return `is no RE2 expression: ${reason}; expected one without look-around and back-references`;
  }
}

/** A test for an expression anywhere in a text (G1), in time linear in the text; an absent one fits every text. */
export function fits(expression: string | undefined): (text: string) => boolean {
  if (expression === undefined) return () => true;
  const compiled = RE2JS.compile(expression);
  return (text) => compiled.test(text);
}

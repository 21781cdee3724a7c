import { expect, type Locator } from "@playwright/test";

/** Gives files to a field once the page listens: a field takes files while it is disabled too, and tells nobody. */
export async function giveFiles(
  field: Locator,
  files: Parameters<Locator["setInputFiles"]>[0],
): Promise<void> {
  await expect(field).toBeEnabled();
  await field.setInputFiles(files);
}

import { expect, type Locator, type Page } from "@playwright/test";

/** So much of a link stands in the list of links. */
const HINT_CHARACTERS = 4;

/** A round, by its id or behind a link. */
export class RoundPage {
  readonly page: Page;
  constructor(page: Page) {
    this.page = page;
  }

  signal(name: string): Locator {
    return this.page.locator(`[data-signal="${name}"]`);
  }

  get falseGreen(): Locator {
    return this.page.getByTestId("false-green");
  }

  async tab(title: string): Promise<void> {
    await this.page
      .getByRole("navigation", { name: "Views of this round" })
      .getByRole("link", { name: title })
      .click();
    await expect(this.page.getByRole("link", { name: title, exact: true })).toHaveAttribute(
      "aria-current",
      "page",
    );
  }

  /** Makes a link to the round and returns its address. */
  async share(shows?: string): Promise<string> {
    await this.page.getByRole("button", { name: "Share", exact: true }).click();
    if (shows !== undefined) await this.page.getByLabel("It shows").selectOption(shows);
    await this.page.getByRole("button", { name: "Create a link" }).click();
    return this.page.getByTestId("share-link").inputValue();
  }

  /** Ends a link from the open dialog; rows of links are told by their last characters. */
  async revoke(link: string): Promise<void> {
    const row = this.page
      .getByRole("dialog")
      .getByRole("row")
      .filter({ hasText: `…${link.slice(-HINT_CHARACTERS)}` });
    await row.getByRole("button", { name: "Revoke" }).click();
    await expect(row.getByText("revoked", { exact: true })).toBeVisible();
  }
}

import type { Locator, Page } from "@playwright/test";

/** The list of rounds. */
export class RoundsPage {
  readonly page: Page;
  constructor(page: Page) {
    this.page = page;
  }

  async open(query = ""): Promise<void> {
    await this.page.goto(`/rounds${query}`);
  }

  row(name: string): Locator {
    return this.page.getByRole("row").filter({ hasText: name });
  }

  async openRound(name: string): Promise<void> {
    await this.row(name).getByRole("link").click();
    await this.page.waitForURL(/\/rounds\/[0-9a-z]{20,}$/);
  }
}

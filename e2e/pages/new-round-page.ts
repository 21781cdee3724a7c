import type { Locator, Page } from "@playwright/test";

/** The page that starts a round. */
export class NewRoundPage {
  readonly page: Page;
  constructor(page: Page) {
    this.page = page;
  }

  async open(): Promise<void> {
    await this.page.goto("/rounds/new");
  }

  async chooseStream(name: string, content: string | Buffer): Promise<void> {
    await this.page.getByLabel("Stream file").setInputFiles({
      name,
      mimeType: "application/x-ndjson",
      buffer: Buffer.from(content),
    });
  }

  async run(): Promise<void> {
    await this.page.getByRole("button", { name: "Run the round" }).click();
  }

  get problems(): Locator {
    return this.page.getByRole("alert").filter({ hasText: "The round was not started" });
  }
}

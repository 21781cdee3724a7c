import { expect, type Locator, type Page } from "@playwright/test";

/** The pages of the live gate. */
export class GatePage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async open(tab = ""): Promise<void> {
    await this.page.goto(`/gate${tab}`);
    await expect(this.page.getByRole("heading", { level: 1, name: "Gate" })).toBeVisible();
  }

  lamp(id: string): Locator {
    return this.page.locator(`[data-lamp="${id}"]`);
  }

  rule(id: string): Locator {
    return this.page.locator(`[data-rule="${id}"]`);
  }

  get editor(): Locator {
    return this.page.getByRole("textbox", { name: "Configuration" });
  }

  /** Changes the configuration's text. */
  async edit(change: (text: string) => string): Promise<void> {
    await this.editor.fill(change(await this.editor.inputValue()));
  }
}

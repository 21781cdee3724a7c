import { expect, type Locator, type Page } from "@playwright/test";
import { scenarioRound } from "./rounds-page.ts";

/** Two rounds beside each other. */
export class ComparePage {
  readonly page: Page;
  constructor(page: Page) {
    this.page = page;
  }

  async open(): Promise<void> {
    await this.page.goto("/compare");
  }

  async choose(side: "A" | "B", name: "clean" | "problem state"): Promise<void> {
    const select = this.page.getByLabel(`Round ${side}`, { exact: true });
    const options = select.getByRole("option").filter({ hasText: new RegExp(`^${scenarioRound(name)}`) });
    // The last: a new installation's own came first, whatever other tests named alike.
    await select.selectOption(await options.last().getAttribute("value"));
    if (side === "A") await this.page.waitForURL(/[?&]a=/);
  }

  async compare(): Promise<void> {
    await this.page.getByRole("button", { name: "Compare", exact: true }).click();
    await this.page.waitForURL(/[?&]b=/);
    await expect(this.page.getByRole("heading", { name: "A beside B" })).toBeVisible();
  }

  get sentence(): Locator {
    return this.page.getByText(/requests? flips?|are the same: every decision/);
  }

  change(req_id: string): Locator {
    return this.page
      .getByRole("table", { name: /^Requests that differ/ })
      .getByRole("row")
      .filter({ hasText: req_id });
  }
}

import { expect, type Locator, type Page } from "@playwright/test";

/** The fault lab and its studies. */
export class FaultsPage {
  readonly page: Page;
  constructor(page: Page) {
    this.page = page;
  }

  async open(query = ""): Promise<void> {
    await this.page.goto(`/faults${query}`);
  }

  async chooseRound(name: string): Promise<void> {
    const round = this.page.getByLabel("Round", { exact: true });
    const label = await round.getByRole("option").filter({ hasText: name }).first().textContent();
    await round.selectOption({ label: label ?? name });
  }

  async run(): Promise<void> {
    await this.page.getByRole("button", { name: "Try the faults" }).click();
    await this.page.waitForURL(/\/faults\/[0-9a-z]{20,}$/);
    await expect(this.page.getByText(/faults? tried on/)).toBeVisible({ timeout: 120_000 });
  }

  row(fault: string): Locator {
    return this.page.locator(`[data-fault="${fault}"]`);
  }

  signal(fault: string, name: string): Locator {
    return this.row(fault).locator(`[data-signal="${name}"] [data-claim]`);
  }

  survivor(fault: string): Locator {
    return this.page.locator(`[data-survivor="${fault}"]`);
  }
}

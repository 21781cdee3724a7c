import { expect, type Locator, type Page } from "@playwright/test";

/** The panel in which a visitor's browser recomputes a round. */
export class RecheckPanel {
  readonly page: Page;
  readonly panel: Locator;
  constructor(page: Page) {
    this.page = page;
    this.panel = page.getByRole("region", { name: "Recheck here" });
  }

  /** Waits until the worker's code is loaded. */
  async ready(): Promise<void> {
    await expect(this.panel).toHaveAttribute("data-ready", "true");
  }

  async start(): Promise<void> {
    await this.panel.getByRole("button", { name: /^Recheck/ }).click();
  }

  async run(): Promise<void> {
    await this.start();
    await expect(this.panel).toHaveAttribute("data-recheck", "done");
  }

  get verdict(): Locator {
    return this.panel.getByTestId("recheck-verdict");
  }

  get disagreement(): Locator {
    return this.panel.getByTestId("server-disagrees");
  }

  get unjudged(): Locator {
    return this.panel.getByTestId("recheck-unjudged");
  }

  /** The differences as [path, report, reference]. */
  async differences(): Promise<string[][]> {
    const region = this.panel.getByRole("region", { name: "Differences found here" });
    await expect(region).toBeVisible();
    while (await this.panel.getByRole("button", { name: "Show more" }).isVisible())
      await this.panel.getByRole("button", { name: "Show more" }).click();
    const rows = await region.locator("tbody tr").all();
    return Promise.all(
      rows.map(async (row) => {
        const cells = await row.locator("td").allInnerTexts();
        return [cells[0]!, cells[2]!, cells[3]!];
      }),
    );
  }
}

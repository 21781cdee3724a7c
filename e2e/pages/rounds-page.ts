import { expect, type Locator, type Page } from "@playwright/test";

/** The whole name of a round that a new installation holds. */
export const scenarioRound = (name: string): string => `Scenario 2026-10-25-1000, ${name}`;

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

  /** The rows of rounds, without the header. */
  get rows(): Locator {
    return this.page.getByRole("table").locator("tbody tr");
  }

  get notice(): Locator {
    return this.page.getByTestId("removed-notice");
  }

  /** Opens a round by its name; one of the two of a new installation by what it is, however many others came since. */
  async openRound(name: string): Promise<void> {
    if (name === "clean" || name === "problem state") {
      const whole = scenarioRound(name);
      await this.open(`?q=${encodeURIComponent(whole)}`);
      // The last: the newest come first, and an audit keeps the name of what it judges.
      await this.page.getByRole("link", { name: whole, exact: true }).last().click();
    } else await this.row(name).getByRole("link").first().click();
    await this.page.waitForURL(/\/rounds\/[0-9a-z]{20,}$/);
  }

  /** Fills fields of the filter and searches. */
  async search(fields: Readonly<Record<string, string>>): Promise<void> {
    for (const [label, value] of Object.entries(fields)) await this.page.getByLabel(label).fill(value);
    await this.page.getByRole("button", { name: "Search" }).click();
  }

  async choose(name: string): Promise<void> {
    await this.row(name).getByRole("checkbox").check();
  }

  async remove(): Promise<void> {
    await this.page.getByRole("button", { name: "Remove", exact: true }).click();
    await expect(this.notice).toBeVisible();
  }

  async undo(): Promise<void> {
    await this.notice.getByRole("button", { name: "Undo" }).click();
    await expect(this.notice).toHaveCount(0);
  }

  /** Drops a file on the page, as a person would who drags it from a folder. */
  async drop(name: string, content: string): Promise<void> {
    const transfer = await this.page.evaluateHandle(
      ([fileName, text]) => {
        const data = new DataTransfer();
        data.items.add(new File([text!], fileName!, { type: "application/x-ndjson" }));
        return data;
      },
      [name, content],
    );
    const zone = this.page.locator(".mantine-Dropzone-root");
    // It comes after the page.
    await zone.waitFor({ state: "attached" });
    await this.page.dispatchEvent("body", "dragenter", { dataTransfer: transfer });
    await zone.dispatchEvent("dragenter", { dataTransfer: transfer });
    await expect(this.page.getByText("Drop the stream of requests to start a round")).toBeVisible();
    await zone.dispatchEvent("drop", { dataTransfer: transfer });
  }
}

import type { Locator, Page } from "@playwright/test";
import { giveFiles } from "./give-files.ts";

interface Dropped {
  name: string;
  content: string | Buffer;
}

/** The page on which a report made elsewhere is judged. */
export class AuditPage {
  readonly page: Page;
  constructor(page: Page) {
    this.page = page;
  }

  async open(): Promise<void> {
    await this.page.goto("/audit");
  }

  /** Waits until the worker's code is loaded. */
  async ready(): Promise<void> {
    await this.page.locator("[data-ready=true]").waitFor();
  }

  async drop(...files: Dropped[]): Promise<void> {
    await giveFiles(
      this.files,
      files.map(({ name, content }) => ({
        name,
        mimeType: "application/octet-stream",
        buffer: Buffer.from(content),
      })),
    );
  }

  /** Drops a file on disk, of any size. */
  async dropFile(path: string): Promise<void> {
    await giveFiles(this.files, path);
  }

  async judge(): Promise<void> {
    await this.page.getByRole("button", { name: "Judge in this browser" }).click();
  }

  async keep(): Promise<void> {
    await this.page.getByRole("button", { name: "Keep as an audit with all views" }).click();
    await this.page.waitForURL(/\/rounds\/[0-9a-z]{20,}$/);
  }

  private get files(): Locator {
    return this.page.getByLabel("Bundle, or a report with its inputs");
  }

  get result(): Locator {
    return this.page.getByRole("region", { name: "Judged in this browser" });
  }

  get verdict(): Locator {
    return this.page.getByTestId("recheck-verdict");
  }
}

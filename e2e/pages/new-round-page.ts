import { expect, type Locator, type Page } from "@playwright/test";
import { giveFiles } from "./give-files.ts";

/** A contract or policy on the page that starts a round. */
export class DocumentPart {
  readonly part: Locator;
  private readonly title: string;
  constructor(page: Page, title: "Contract" | "Policy") {
    this.title = title;
    this.part = page.getByRole("region", { name: title, exact: true });
  }

  async show(mode: "Form" | "JSON" | "Changes"): Promise<void> {
    await this.part.getByText(mode, { exact: true }).click();
  }

  get json(): Locator {
    return this.part.getByLabel(`${this.title} as JSON`);
  }

  async writeJson(text: string): Promise<void> {
    await this.show("JSON");
    await this.json.fill(text);
  }

  async upload(name: string, text: string): Promise<void> {
    const file = { name, mimeType: "application/json", buffer: Buffer.from(text) };
    await giveFiles(this.part.getByLabel(`${this.title} file`), file);
  }

  field(label: string): Locator {
    return this.part.getByRole("textbox", { name: label, exact: true });
  }

  async keep(name?: string): Promise<void> {
    if (name !== undefined) await this.part.getByLabel(/^Keep this/).fill(name);
    await this.part.getByRole("button", { name: /^Keep (as version|the) / }).click();
  }

  async expectSound(): Promise<void> {
    await expect(this.part.getByText("sound", { exact: true })).toBeVisible();
  }
}

/** The page that starts a round. */
export class NewRoundPage {
  readonly page: Page;
  readonly contract: DocumentPart;
  readonly policy: DocumentPart;
  constructor(page: Page) {
    this.page = page;
    this.contract = new DocumentPart(page, "Contract");
    this.policy = new DocumentPart(page, "Policy");
  }

  async open(): Promise<void> {
    await this.page.goto("/rounds/new");
  }

  async chooseStream(name: string, content: string | Buffer): Promise<void> {
    const file = { name, mimeType: "application/x-ndjson", buffer: Buffer.from(content) };
    await giveFiles(this.page.getByLabel("Stream file"), file);
  }

  /** Chooses a file on disk, of any size. */
  async chooseFile(path: string): Promise<void> {
    await giveFiles(this.page.getByLabel("Stream file"), path);
  }

  /** Injects faults by their ids (§6). */
  async inject(faults: readonly string[]): Promise<void> {
    if (faults.length === 0) return;
    await this.page.getByRole("button", { name: /Inject known faults/ }).click();
    for (const fault of faults) await this.page.locator(`input[type=checkbox][value="${fault}"]`).check();
  }

  async run(): Promise<void> {
    await this.page.getByRole("button", { name: "Run the round" }).click();
  }

  get problems(): Locator {
    return this.page.getByRole("alert").filter({ hasText: "The round was not started" });
  }
}

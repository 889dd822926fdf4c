import type { Locator, Page } from 'playwright-core';

/** Does a task as a person does, and counts clicks and keys; the letters of a text do not count. */
export class CountingHands {
  count = 0;
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      this.count += 1;
      await this.page.keyboard.press(key);
    }
  }

  async click(what: Locator): Promise<void> {
    this.count += 1;
    await what.click();
  }

  async choose(what: Locator, value: string): Promise<void> {
    // To open the choice, and to choose.
    this.count += 2;
    await what.selectOption(value);
  }
}

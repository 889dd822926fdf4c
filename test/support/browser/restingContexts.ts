import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

/** A page of the dashboard's origin that shows nothing. */
const QUIET = '/health';

interface Resting {
  context: BrowserContext;
  /** Keeps the renderer of the context alive, and reaches what pages have stored. */
  quiet: Page;
}

/**
 * Contexts that tests have closed and others use again, with no page and nothing stored: the scripts
 * are then neither fetched nor compiled once more, a quarter of the processor time of most pages.
 */
export class RestingContexts {
  readonly #browser: Browser;
  readonly #script: string;
  readonly #resting = new Map<string, Resting>();

  /** `script`: what every page begins with. */
  constructor(browser: Browser, script: string) {
    this.#browser = browser;
    this.#script = script;
  }

  /** One with these options, as if it were new; closing it makes it rest. */
  async open(origin: string, options: BrowserContextOptions): Promise<BrowserContext> {
    const key = JSON.stringify([origin, options]);
    const rested = this.#resting.get(key);
    this.#resting.delete(key);
    if (rested) return rested.context;
    const context = await this.#browser.newContext(options);
    await context.addInitScript(this.#script);
    const quiet = await context.newPage();
    await quiet.goto(`${origin}${QUIET}`);
    const end = context.close.bind(context);
    context.close = async () => {
      // Two at once with the same options: one is enough to rest.
      if (this.#resting.has(key)) return end();
      const others = context.pages().filter((page) => page !== quiet);
      await Promise.all(others.map((page) => page.close()));
      await this.#forget(context, quiet, options);
      this.#resting.set(key, { context, quiet });
    };
    return context;
  }

  /** What the pages have left: what is stored, cookies, permissions. */
  async #forget(
    context: BrowserContext,
    quiet: Page,
    { storageState }: BrowserContextOptions,
  ): Promise<void> {
    const state = typeof storageState === 'object' ? storageState : { cookies: [], origins: [] };
    await context.clearCookies();
    await context.addCookies(state.cookies);
    await context.clearPermissions();
    await quiet.evaluate(
      (stored) => {
        localStorage.clear();
        for (const { name, value } of stored) localStorage.setItem(name, value);
      },
      state.origins.flatMap(({ localStorage }) => localStorage),
    );
  }
}

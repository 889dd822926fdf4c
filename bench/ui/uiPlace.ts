import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { type ModelServer, openModelServer } from '../../demo/model/server.ts';
import { RunnerProcess } from '../../demo/runnerProcess.ts';
import { bundleDashboard } from '../../scripts/bundleDashboard.ts';
import { type Client, createClient } from '../../src/api/client/client.ts';
import { Lab } from '../lab.ts';
import { LONG_ANSWER } from './longAnswer.ts';
import { LISTED_JOBS, writeUiHome } from './uiHome.ts';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
];

/** Runs of a measurement that is made several times; the figure is their median. */
export const RUNS = 7;

/** Longest wait for something that a row expects, ms. */
const PATIENCE_MS = 60_000;

/** A page as a person opens it for the first time: nothing of it is in a cache. */
export interface FreshPage extends AsyncDisposable {
  page: Page;
  cdp: CDPSession;
}

/** The built dashboard and runner on a home with many jobs, and Chromium. */
export class UiPlace implements AsyncDisposable {
  readonly home: string;
  readonly built: string;
  readonly #lab: Lab;
  readonly #runner: RunnerProcess;
  readonly #browser: Browser;
  readonly #model: ModelServer;

  private constructor(
    lab: Lab,
    home: string,
    built: string,
    runner: RunnerProcess,
    browser: Browser,
    model: ModelServer,
  ) {
    this.#lab = lab;
    this.home = home;
    this.built = built;
    this.#runner = runner;
    this.#browser = browser;
    this.#model = model;
  }

  static async open(jobs = LISTED_JOBS): Promise<UiPlace> {
    if (!existsSync(CHROMIUM))
      throw new Error(`${CHROMIUM} not found: run apt-get install chromium, or set CHROMIUM.`);
    const lab = new Lab();
    const root = await lab.package();
    const built = join(root, 'dist/ui');
    await bundleDashboard(built);
    const home = lab.folder('ui');
    const model = await openModelServer({ scripts: { answer: [LONG_ANSWER] } });
    await writeUiHome(home, jobs, model.url);
    const runner = new RunnerProcess(home, await lab.program());
    await runner.start();
    const browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: [...FLAGS, '--js-flags=--expose-gc'],
    });
    return new UiPlace(lab, home, built, runner, browser, model);
  }

  get url(): string {
    return `${this.#runner.url}/dashboard/`;
  }

  get client(): Client {
    return createClient({ baseUrl: this.#runner.url, token: this.#runner.token });
  }

  /** `prepare` is called before the page asks for anything. */
  async fresh(
    hash: string,
    prepare: (page: Page) => Promise<unknown> = async () => {},
  ): Promise<FreshPage> {
    const context = await this.#browser.newContext({ viewport: { width: 1280, height: 860 } });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const cdp = await context.newCDPSession(page);
    // The compiler marks functions with a call to `__name`, which the page does not define.
    await page.addInitScript('globalThis.__name = (named) => named');
    await prepare(page);
    await page.goto(`${this.url}${hash}`);
    return { page, cdp, [Symbol.asyncDispose]: () => context.close() };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#runner.stop();
    await this.#browser.close();
    await this.#model.close();
    this.#lab.close();
  }
}

/** How busy the machine is: its load of the last minute. Figures of a busy one say little. */
export const loadOfMachine = (): string =>
  readFileSync('/proc/loadavg', 'utf8').split(' ')[0] ?? '';

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PATIENCE_MS } from '../inTime.ts';
import { BiDiConnection } from './biDiConnection.ts';
import type { DashboardStage } from './dashboardStage.ts';
import { FirefoxPage } from './firefoxPage.ts';

const FIREFOX = process.env.FIREFOX ?? '/usr/bin/firefox-esr';

/** Whether Firefox is installed; where it is not, what is left out is reported. */
export function hasFirefox(what: string): boolean {
  if (existsSync(FIREFOX)) return true;
  console.log(
    `left out: ${what}; there is no ${FIREFOX} (apt-get install firefox-esr, or set FIREFOX)`,
  );
  return false;
}

async function readAddress(child: ChildProcess): Promise<string> {
  const printed: string[] = [];
  if (child.stderr === null) throw new Error('Firefox has no stderr');
  for await (const line of createInterface(child.stderr)) {
    const [, url] = /^WebDriver BiDi listening on (ws:\/\/\S+)$/.exec(line) ?? [];
    if (url !== undefined) return url;
    printed.push(line);
  }
  throw new Error(`Firefox ended without a word of where it listens:\n${printed.join('\n')}`);
}

export class Firefox {
  readonly #child: ChildProcess;
  readonly #profile: string;
  readonly #connection: BiDiConnection;

  private constructor(child: ChildProcess, profile: string, connection: BiDiConnection) {
    this.#child = child;
    this.#profile = profile;
    this.#connection = connection;
  }

  static async open(): Promise<Firefox> {
    const profile = mkdtempSync(join(tmpdir(), 'svc-firefox-'));
    const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0'];
    const child = spawn(FIREFOX, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    const address = await readAddress(child);
    child.stderr?.resume();
    return new Firefox(child, profile, await BiDiConnection.open(address));
  }

  /** A page at a hash such as `#/inbox`, logged in; `problems` gets what goes wrong in it. */
  async openPage(stage: DashboardStage, hash: string, problems: string[]): Promise<FirefoxPage> {
    const page = await FirefoxPage.open(this.#connection, problems);
    const { path } = await stage.client.createLogin();
    await page.goto(`${stage.runner.url}${path}`);
    await page.goto(`${stage.runner.url}/dashboard/${hash}`);
    return page;
  }

  async close(): Promise<void> {
    const exit = once(this.#child, 'exit', { signal: AbortSignal.timeout(PATIENCE_MS) });
    await this.#connection.send('browser.close', {});
    await exit;
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

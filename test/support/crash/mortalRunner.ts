import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, createClient } from '../../../src/api/client/client.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { giveStartCode } from '../cli/startCode.ts';
import { inTime, PATIENCE_MS } from '../inTime.ts';

export interface StartRequest {
  /** The fault point at which it kills itself; default: none. */
  dieAt?: string;
  /** File for the list of the fault points that it reaches; default: none. */
  countFile?: string;
  /** More environment of the process; default: none. */
  env?: Readonly<Record<string, string>>;
}

/** How a runner's process ended: an exit code, or a signal. */
export type Ending = number | NodeJS.Signals;

/** The built runner as a process that a test lets die and starts again on the same home. */
export class MortalRunner {
  readonly home: string;
  readonly #bin: string;
  #child: ChildProcess | undefined;
  #client: Client | undefined;
  #url = '';
  /** How the present process ended; null while it runs or before the first start. */
  ending: Ending | null = null;
  ended: Promise<Ending> = Promise.resolve(0);
  said = '';
  starts = 0;

  constructor(home: string, bin: string) {
    this.home = home;
    this.#bin = bin;
  }

  /** Starts it on a free port; true when it answers, false when it ended before that. */
  async start({ dieAt, countFile, env = {} }: StartRequest = {}): Promise<boolean> {
    giveStartCode(this.home);
    const child = spawn(process.execPath, [this.#bin, 'start', '--no-open', '--port', '0'], {
      env: {
        ...process.env,
        SVC_HOME: this.home,
        NO_COLOR: '1',
        SVC_FAULT_POINT: dieAt ?? '',
        SVC_FAULT_COUNT: countFile ?? '',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    this.#client = undefined;
    this.ending = null;
    this.said = '';
    this.starts += 1;
    this.ended = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.ending = signal ?? code ?? 0;
        resolve(this.ending);
      });
    });
    const url = await new Promise<string | null>((resolve) => {
      const timer = setTimeout(() => resolve(null), PATIENCE_MS);
      const tellUrl = (url: string | null) => {
        clearTimeout(timer);
        resolve(url);
      };
      for (const stream of [child.stdout, child.stderr]) {
        stream?.setEncoding('utf8').on('data', (text: string) => {
          this.said += text;
          const url = /listening on (http:\S+)/.exec(this.said)?.[1];
          if (url !== undefined) tellUrl(url);
        });
      }
      void this.ended.then(() => tellUrl(null));
    });
    if (url === null) {
      if (this.ending === null)
        throw new Error(`the runner neither answers nor ends:\n${this.said}`);
      return false;
    }
    this.#url = url;
    this.#client = createClient({
      baseUrl: url,
      token: readFileSync(join(this.home, 'runner.token'), 'utf8').trim(),
    });
    return true;
  }

  /** Client of the present process; throws SvcError `unreachable` if it does not answer. */
  get client(): Client {
    if (!this.#client || this.ending !== null)
      throw new SvcError(
        'unreachable',
        `no runner: the last one ended with ${this.ending}:\n${this.said}`,
      );
    return this.#client;
  }

  get url(): string {
    return this.#url;
  }

  /** The end of the present process, which no longer answers; rejects after 30 s without one. */
  gone(): Promise<Ending> {
    return inTime(this.ended, () => `the end of the runner, which does not answer:\n${this.said}`);
  }

  /** SIGKILL; resolves when it is gone. */
  async kill(): Promise<void> {
    if (!this.#child || this.ending !== null) return;
    this.#child.kill('SIGKILL');
    await this.ended;
  }
}

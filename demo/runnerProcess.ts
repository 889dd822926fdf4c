import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

/**
 * How long a runner may take to answer after its start, ms. It decides only how soon a start that hangs is given up: a
 * busy machine takes several times as long as a quiet one.
 */
const START_MS = 120_000;

/** How long one answer of it may take. */
const ANSWER_MS = 5_000;

/** By itself or by a signal. */
const hasEnded = (child: ChildProcess): boolean =>
  child.exitCode !== null || child.signalCode !== null;

async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(child)) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

/** The real runner as a process of its own, on a home of its own. */
export class RunnerProcess {
  readonly #home: string;
  readonly #bin: string;
  readonly #port: number;
  readonly #isApart: boolean;
  #child: ChildProcess | null = null;
  readonly #commands = new Set<ChildProcess>();
  /** Counts the starts after the first one. */
  restarts = -1;
  said = '';
  url = '';
  token = '';

  /**
   * `port` 0 = a free one at each start; `isApart`: a Ctrl-C in the terminal does not reach it, so that it
   * is stopped once, and in order.
   */
  constructor(home: string, bin: string, port = 0, isApart = false) {
    this.#home = home;
    this.#bin = bin;
    this.#port = port;
    this.#isApart = isApart;
  }

  /** `env` adds to the variables of this process. */
  async start(env: Readonly<Record<string, string>> = {}): Promise<void> {
    // The file of an earlier run must not be taken for this one's answer.
    await rm(join(this.#home, 'runner.json'), { force: true });
    const child = spawn(
      process.execPath,
      [this.#bin, 'start', '--no-open', '--port', String(this.#port)],
      {
        env: { ...process.env, ...env, SVC_HOME: this.#home, NO_COLOR: '1' },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: this.#isApart,
      },
    );
    this.#child = child;
    this.restarts += 1;
    this.said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (bytes) => {
        if (this.#child === child) this.said += bytes;
      });
    }
    const deadline = Date.now() + START_MS;
    while (!(await this.#answers())) {
      if (hasEnded(child) || Date.now() > deadline)
        throw new Error(`the runner did not start:\n${this.said}`);
      await wait(20);
    }
  }

  /** What a command of the command line that talks to it prints; throws when it fails. */
  command(...args: string[]): Promise<string> {
    return this.commandWithInput('', ...args);
  }

  /** The same, with a text on its standard input, such as a password. */
  async commandWithInput(input: string, ...args: string[]): Promise<string> {
    const env = { ...process.env, SVC_HOME: this.#home, NO_COLOR: '1' };
    const running = promisify(execFile)(process.execPath, [this.#bin, ...args], { env });
    const { child } = running;
    this.#commands.add(child);
    child.stdin?.end(input);
    try {
      return (await running).stdout;
    } finally {
      this.#commands.delete(child);
    }
  }

  /** Process id of the present one; 0 before the first start. */
  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** SIGKILL, as a crash would. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** SIGTERM: the runner stops by itself. Commands that still run are ended. */
  async stop(): Promise<void> {
    await Promise.all([...this.#commands].map((command) => endProcess(command, 'SIGKILL')));
    await this.#end('SIGTERM');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    if (this.#child) await endProcess(this.#child, signal);
  }

  async #answers(): Promise<boolean> {
    try {
      const info = JSON.parse(await readFile(join(this.#home, 'runner.json'), 'utf8')) as {
        url: string;
      };
      this.token = (await readFile(join(this.#home, 'runner.token'), 'utf8')).trim();
      this.url = info.url;
      // The runner holds requests back until its jobs are loaded: a start that fails must not wait
      // here forever.
      return (await fetch(`${info.url}/health`, { signal: AbortSignal.timeout(ANSWER_MS) })).ok;
    } catch {
      return false;
    }
  }
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Client, createClient } from '../../src/api/client/client.ts';
import type { Health } from '../../src/contract/schema/api/replies.ts';
import type { Machine } from './machine.ts';

const START_MS = 30_000;
const STOP_MS = 60_000;
const LOOK_EVERY_MS = 50;

/** The runner of an installed program on a home; default: the person's own. */
export class InstalledRunner {
  readonly #machine: Machine;
  readonly home: string;
  #child: ChildProcess | null = null;
  #said = '';

  constructor(machine: Machine, home = join(machine.home, '.svc')) {
    this.#machine = machine;
    this.home = home;
  }

  /** Reads its address each time: a runner that took over has one of its own. */
  get client(): Client {
    const { url } = JSON.parse(readFileSync(join(this.home, 'runner.json'), 'utf8'));
    const token = readFileSync(join(this.home, 'runner.token'), 'utf8').trim();
    return createClient({ baseUrl: url, token });
  }

  /** Runs a command that starts it, and waits until it answers. */
  async start(
    [program = '', ...args]: readonly string[] = ['svc', 'start', '--no-open', '--port', '0'],
    env: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const machine = this.#machine;
    const child = spawn(program, args, {
      env: { ...machine.env, SVC_HOME: this.home, ...env },
      cwd: machine.home,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (part) => {
        this.#said += part;
      });
    await until(START_MS, async () => {
      if (child.exitCode !== null) throw new Error(`svc start ended:\n${this.#said}`);
      return this.#health();
    });
  }

  /** Waits for one that something else has started. */
  async answers(): Promise<void> {
    await until(START_MS, () => this.#health());
  }

  async #health(): Promise<Health | null> {
    try {
      return await this.client.health();
    } catch {
      return null;
    }
  }

  /** SIGTERM; it must end with 0, within `limitMs`. */
  async stop(limitMs = STOP_MS): Promise<void> {
    const child = this.#child;
    if (child === null || child.exitCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    const killed = setTimeout(() => child.kill('SIGKILL'), limitMs);
    const [code] = await exit;
    clearTimeout(killed);
    if (code !== 0) throw new Error(`svc start ended with ${code}:\n${this.#said}`);
  }
}

/** Looks until there is something; throws after `limitMs`. */
export async function until<T>(limitMs: number, look: () => Promise<T | null>): Promise<T> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const result = await look();
    if (result !== null) return result;
    if (performance.now() > deadline) throw new Error(`nothing within ${limitMs / 1000} s`);
    await wait(LOOK_EVERY_MS);
  }
}

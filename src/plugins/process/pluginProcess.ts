import { raceDeadline } from '../../base/time/waiting.ts';
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { LastWords } from '../../executors/process/lastWords.ts';
import { OutputLines } from '../../executors/process/outputLines.ts';
import { endGroup } from '../../executors/process/endGroup.ts';
import type { Clock } from '../../base/time/clock.ts';
import { toErrorMessage } from '../../base/errors/errors.ts';
import type { Nudge, Order, Report } from './protocol.ts';

/** How long the last messages may take after all processes of the group have ended, ms. */
const DRAIN_MS = 1_000;

/** The program of a plugin's process, and the arguments that node needs for it. */
export interface PluginProgram {
  file: string;
  execArgv: readonly string[];
}

/** From the built package, or from the sources if the runner itself runs from them. */
export const resolvePluginProgram = (packageRoot: string, fromSource: boolean): PluginProgram =>
  fromSource
    ? {
        file: join(packageRoot, 'src/plugins/process/main.ts'),
        execArgv: ['--import', import.meta.resolve('tsx')],
      }
    : { file: join(packageRoot, 'dist/runner/pluginProcess.js'), execArgv: [] };

export interface PluginProcessOptions {
  program: PluginProgram;
  order: Order;
  env: Readonly<Record<string, string>>;
  clock: Clock;
  cwd?: string;
  onReport?(report: Report): void;
}

/** How a plugin's process ended: with an answer, with a reported error, or without a message. */
export type Ending = { answer: unknown } | { code: string; error: string };

/**
 * A process with one plugin and one task, in its own process group. Whatever the plugin does (an
 * endless loop, an exit, an uncaught error) is an ending like any other.
 */
export class PluginProcess {
  /** Never rejects; resolves when the whole group has ended. */
  readonly ending: Promise<Ending>;
  readonly #clock: Clock;
  #child: ChildProcess | null = null;
  #cause: string | null = null;

  constructor(options: PluginProcessOptions) {
    this.#clock = options.clock;
    this.ending = this.#run(options).catch((error: unknown) => ({
      code: 'internal',
      error: toErrorMessage(error),
    }));
  }

  nudge(nudge: Nudge): void {
    if (this.#child?.connected) this.#child.send(nudge, () => {});
  }

  /** Sends SIGTERM, and SIGKILL after `graceMs`. The first `cause` is reported as its error. */
  async end(cause: string, graceMs: number): Promise<void> {
    this.#cause ??= cause;
    const pid = this.#child?.pid;
    if (pid !== undefined) await endGroup(this.#clock, pid, graceMs);
  }

  async #run({ program, order, env, cwd, onReport }: PluginProcessOptions): Promise<Ending> {
    const child = fork(program.file, [], {
      execArgv: [...program.execArgv],
      env: { ...env },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      detached: true,
      ...(cwd === undefined ? {} : { cwd }),
    });
    this.#child = child;
    const words = new LastWords();
    const lines = new OutputLines((line) => words.add(line));
    child.stderr?.on('data', (chunk: Buffer) => lines.push(chunk));
    let reportedEnding: Ending | null = null;
    child.on('message', (message: Report) => {
      if (reportedEnding !== null || typeof message !== 'object' || message === null) return;
      if (message.report === 'done') reportedEnding = { answer: message.value };
      else if (message.report === 'failed')
        reportedEnding = { code: String(message.code), error: String(message.message) };
      else onReport?.(message);
    });
    const exit = new Promise<{ how: string; killed: boolean }>((resolve, reject) => {
      child.once('exit', (code, signal) =>
        resolve({
          how: code === null ? `was ended by ${signal}` : `ended with exit code ${code}`,
          killed: code === null,
        }),
      );
      child.once('error', reject);
    });
    // The exit may be reported before the last messages are read.
    const read = new Promise<void>((resolve) => child.once('disconnect', resolve));
    child.send(order, () => {});
    const { how, killed } = await exit;
    // Ends the processes that it started and left behind.
    if (child.pid !== undefined) await endGroup(this.#clock, child.pid, 0);
    await raceDeadline(this.#clock, DRAIN_MS, read, () => {});
    if (reportedEnding !== null) return reportedEnding;
    lines.end();
    if (this.#cause !== null) return { code: 'internal', error: this.#cause };
    const lastWords = words.text();
    return {
      code: killed ? 'died' : 'internal',
      error: `The plugin's process ${how} without an answer.${lastWords === '' ? '' : ` It said:\n${lastWords}`}`,
    };
  }
}

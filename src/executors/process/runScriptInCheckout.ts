import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { Clock } from '../../base/time/clock.ts';
import type { SessionRequest } from '../../contract/session/executor.ts';
import { endGroup } from './endGroup.ts';
import { endMarkedProcesses } from './endMarkedProcesses.ts';
import { explainStartFailure } from './explainStartFailure.ts';
import { LastWords } from './lastWords.ts';
import { OutputLines } from './outputLines.ts';
import { MARKER_VARIABLE } from './processTable.ts';
import { decodeSandboxExit, type ProgramExit, wrapSessionStart } from './wrapSessionStart.ts';

const SHELL = '/bin/sh';
/** Most output of a script that is given on, bytes; the rest is only counted. */
export const MAX_SCRIPT_OUTPUT_BYTES = 1024 * 1024;
/** Most lines of a script that wait to be given on. */
const MAX_WAITING_LINES = 200;
/** How long output may still arrive after every process is gone, ms. */
const DRAIN_MS = 1_000;

export interface ScriptStart
  extends Pick<SessionRequest, 'cwd' | 'env' | 'marker' | 'sandbox' | 'sessionDir'> {
  /** For `/bin/sh -e`. */
  script: string;
  /** After this time it is ended, ms. */
  timeMs: number;
  /** Ends it too. */
  signal: AbortSignal;
  clock: Clock;
  /** Between SIGTERM and SIGKILL, ms. */
  graceMs: number;
  /** Gets its lines in order; more are read when it resolves. */
  onLines(lines: readonly string[]): Promise<void>;
}

/** How a script ended. `stopped`: by the signal. `words`: the last lines of its output. */
export type ScriptEnd =
  | { how: 'done' | 'stopped' }
  | { how: 'failed'; reason: string; words: string };

const describeExit = ({ code, signal }: ProgramExit): string =>
  code === null ? `it was killed by ${signal}` : `it ended with exit code ${code}`;

/** Gives lines on in groups, and waits while a group is taken. */
class LineSink {
  readonly #take: ScriptStart['onLines'];
  #waiting: string[] = [];
  #bytes = 0;
  #taken: Promise<void> | null = null;

  constructor(take: ScriptStart['onLines']) {
    this.#take = take;
  }

  add(line: string): void {
    const before = this.#bytes;
    this.#bytes += Buffer.byteLength(line) + 1;
    if (this.#bytes <= MAX_SCRIPT_OUTPUT_BYTES) this.#waiting.push(line);
    else if (before <= MAX_SCRIPT_OUTPUT_BYTES)
      this.#waiting.push(`… (more than ${MAX_SCRIPT_OUTPUT_BYTES} bytes; the rest is not kept)`);
    if (this.#waiting.length > 0) this.#taken ??= this.#giveOn();
  }

  /** Resolves when there is room for more lines. */
  async room(): Promise<void> {
    if (this.#waiting.length > MAX_WAITING_LINES) await this.#taken;
  }

  async settle(): Promise<void> {
    while (this.#taken !== null) await this.#taken;
  }

  async #giveOn(): Promise<void> {
    while (this.#waiting.length > 0) {
      const lines = this.#waiting;
      this.#waiting = [];
      await this.#take(lines);
    }
    this.#taken = null;
  }
}

/**
 * Runs a script in a process group of its own, inside its sandbox; all that it has started has ended
 * when this resolves. Never rejects for what the script does.
 */
export async function runScriptInCheckout(start: ScriptStart): Promise<ScriptEnd> {
  const { cwd, marker, clock, graceMs, script, timeMs } = start;
  if (start.signal.aborted) return { how: 'stopped' };
  const env = { ...start.env, SVC_SESSION_DIR: start.sessionDir, [MARKER_VARIABLE]: marker };
  const sessionStart = wrapSessionStart(start, { program: SHELL, args: ['-e', '-c', script] }, env);
  const child = spawn(sessionStart.program, sessionStart.args, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const words = new LastWords();
  const sink = new LineSink(start.onLines);
  const read = Promise.all(
    [child.stdout, child.stderr].map((stream) => readLines(stream, words, sink)),
  );
  let cause: 'time' | 'signal' | null = null;
  const end = (why: 'time' | 'signal') => {
    cause ??= why;
    if (child.pid !== undefined) void endGroup(clock, child.pid, graceMs);
  };
  const stopTimer = clock.at(clock.now() + timeMs, () => end('time'));
  const onAbort = () => end('signal');
  start.signal.addEventListener('abort', onAbort, { once: true });
  try {
    const exit = await new Promise<ProgramExit>((resolve, reject) => {
      child.once('exit', (code, signal) => resolve(decodeSandboxExit(start, code, signal)));
      child.once('error', reject);
    });
    if (child.pid !== undefined) await endGroup(clock, child.pid, graceMs);
    await endMarkedProcesses(clock, (one) => one === marker, graceMs);
    const giveUp = clock.at(clock.now() + DRAIN_MS, () => {
      child.stdout.destroy();
      child.stderr.destroy();
    });
    await read;
    giveUp();
    await sink.settle();
    if (cause === 'signal') return { how: 'stopped' };
    if (cause === null && exit.code === 0) return { how: 'done' };
    const reason =
      cause === 'time' ? `it took longer than ${timeMs / 60_000} minutes` : describeExit(exit);
    return { how: 'failed', reason, words: words.text() };
  } catch (error) {
    const hint = 'A script needs /bin/sh.';
    const reason = explainStartFailure(error, { program: sessionStart.program, cwd, hint });
    return { how: 'failed', reason, words: '' };
  } finally {
    stopTimer();
    start.signal.removeEventListener('abort', onAbort);
  }
}

async function readLines(stream: Readable, words: LastWords, sink: LineSink): Promise<void> {
  const lines = new OutputLines((line) => {
    words.add(line);
    sink.add(line);
  });
  try {
    for await (const chunk of stream) {
      lines.push(chunk as Buffer);
      await sink.room();
    }
  } catch {
    // The stream was destroyed; the output left in it is lost.
  }
  lines.end();
}

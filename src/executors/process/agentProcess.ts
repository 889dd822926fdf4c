import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { toExitFault } from '../../base/errors/toThrownFault.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { SessionRequest, SessionResult } from '../../contract/session/executor.ts';
import { LastWords } from './lastWords.ts';
import { endMarkedProcesses } from './endMarkedProcesses.ts';
import { OutputLines } from './outputLines.ts';
import { endGroup } from './endGroup.ts';
import { MARKER_VARIABLE } from './processTable.ts';
import { decodeSandboxExit, wrapSessionStart } from './wrapSessionStart.ts';
import { explainStartFailure } from './explainStartFailure.ts';
import { ProgramNotStarted } from '../../base/errors/programNotStarted.ts';
import type { SessionOutput } from './sessionOutput.ts';
import { raceDeadline } from '../../base/time/waiting.ts';

/**
 * How long stderr may still arrive after every process is gone, ms: a process of another user could
 * hold the pipe.
 */
const DRAIN_MS = 1_000;

interface AgentProcessOptions {
  request: Pick<SessionRequest, 'cwd' | 'env' | 'sessionDir' | 'marker' | 'sandbox'>;
  program: string;
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Text that the program reads from pipe 3, such as a token; default: no such pipe. */
  handed?: string | null;
  /** Lines of stderr that are not worth showing; default: none. */
  isNoise?: (line: string) => boolean;
  /** Where and how the program is set, for the error when it is missing. */
  hint: string;
  clock: Clock;
  output: SessionOutput;
}

export interface ProcessExit {
  how: 'not started' | 'exited' | 'killed';
  code?: number;
  words: string;
}

/**
 * Classifies a program that ended without a result. One that was killed, or ended during its work,
 * died, which is not an error of the job; one that ends before its session is open cannot be started as
 * configured.
 */
export const classifyProcessExit = (
  { how, code }: ProcessExit,
  isOpen: boolean,
): Pick<SessionResult, 'stopReason' | 'fault' | 'exitCode'> => {
  const exit = code === undefined ? {} : { exitCode: code };
  if (how === 'killed' || (how === 'exited' && isOpen)) return { stopReason: 'died', ...exit };
  const isMissing = how === 'not started' || toExitFault(code ?? 0) === 'not-started';
  return { stopReason: 'error', fault: isMissing ? 'not-started' : 'unknown', ...exit };
};

/**
 * An agent's program that is driven over stdin and stdout, in a process group of its own; its
 * stderr goes to the log.
 */
export class AgentProcess {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly exited: Promise<ProcessExit>;
  readonly #options: AgentProcessOptions;
  readonly #words = new LastWords();
  readonly #drained: Promise<void>;

  constructor(options: AgentProcessOptions) {
    this.#options = options;
    const { request, program, args } = options;
    const { cwd, marker } = request;
    const env = {
      ...request.env,
      ...options.env,
      SVC_SESSION_DIR: request.sessionDir,
      [MARKER_VARIABLE]: marker,
    };
    const programStart = wrapSessionStart(request, { program, args }, env);
    const explain = (error: unknown) =>
      explainStartFailure(error, { ...request, program, hint: options.hint });
    try {
      this.child = spawn(programStart.program, programStart.args, {
        cwd,
        env,
        stdio: ['pipe', 'pipe', 'pipe', ...(options.handed ? ['pipe' as const] : [])],
        detached: true,
      });
    } catch (error) {
      // Node throws what a kernel seldom answers, such as ENOTDIR, and emits the rest.
      throw new ProgramNotStarted(explain(error), error);
    }
    this.exited = new Promise((resolve) => {
      this.child.once('exit', (exitCode, exitSignal) => {
        const { code, signal } = decodeSandboxExit(request, exitCode, exitSignal);
        const words = `${program} ${code === null ? `was killed by ${signal}` : `ended with exit code ${code}`}.`;
        resolve({ words, ...(code === null ? { how: 'killed' } : { how: 'exited', code }) });
      });
      this.child.once('error', (error) => resolve({ words: explain(error), how: 'not started' }));
    });
    if (options.handed) {
      const pipe = this.child.stdio[3] as Writable;
      pipe.on('error', () => {});
      pipe.end(options.handed);
    }
    // Ignored: the end of the process says more than EPIPE.
    this.child.stdin.on('error', () => {});
    this.child.stdout.on('error', () => {});
    this.#drained = this.#readStderr();
  }

  /** Adds a line of stdout that is no message of the protocol to the last words. */
  noteNoise(line: string): void {
    this.#words.add(this.#options.output.screen(line));
  }

  /** The last lines of stderr, and of stdout what is no message, as the end of an error. */
  formatLastWords(): string {
    return this.#words.sentence();
  }

  /**
   * Ends the program and everything that it started: SIGTERM, after `graceMs` SIGKILL. Resolves
   * when nothing of it is left.
   */
  async end(graceMs: number): Promise<void> {
    const { clock, request } = this.#options;
    const { pid } = this.child;
    if (pid !== undefined) {
      // The wrappers of some agents end before the program that they wrap.
      await endGroup(clock, pid, graceMs);
      // A child with a group of its own still carries the marker.
      await endMarkedProcesses(clock, (marker) => marker === request.marker, graceMs);
    }
    await this.exited;
    const drain = this.#drained.then(() => true);
    if (!(await raceDeadline(clock, DRAIN_MS, drain, () => false))) this.child.stderr.destroy();
  }

  async #readStderr(): Promise<void> {
    const { output } = this.#options;
    const lines = new OutputLines((line) => {
      if (this.#options.isNoise?.(line)) return;
      this.#words.add(output.screen(line));
      output.lines('stderr', line);
    });
    try {
      for await (const chunk of this.child.stderr) {
        lines.push(chunk);
        await output.kept;
      }
    } catch {
      // The stream was destroyed; the output left in it is lost.
    }
    lines.end();
  }
}

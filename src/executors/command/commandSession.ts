import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { Clock } from '../../base/time/clock.ts';
import { toExitFault, toThrownFault } from '../../base/errors/toThrownFault.ts';
import { screenColoured, removeColours } from '../../base/output/colouredText.ts';
import { toErrorMessage } from '../../base/errors/errors.ts';
import { readCommandReport, type CommandReport, REPORT_FILE } from './readCommandReport.ts';
import {
  KICKOFF,
  type Session,
  type SessionEvent,
  type SessionRequest,
  type SessionResult,
} from '../../contract/session/executor.ts';
import type { SessionFault } from '../../base/errors/sessionFaults.ts';
import { LastWords } from '../process/lastWords.ts';
import { endMarkedProcesses } from '../process/endMarkedProcesses.ts';
import { OutputLines } from '../process/outputLines.ts';
import { endGroup } from '../process/endGroup.ts';
import { MARKER_VARIABLE } from '../process/processTable.ts';
import { createQuotaStop } from '../process/quota/createQuotaStop.ts';
import type { StopReason } from '../../base/jobs/stopReasons.ts';
import type { UsageReport } from '../../contract/session/usageReport.ts';
import { estimateMissing } from '../../base/spending/parseTokenCounts.ts';
import { dropUnwrittenTokens } from '../../base/spending/usageSum.ts';
import {
  type ProgramExit,
  decodeSandboxExit,
  wrapSessionStart,
} from '../process/wrapSessionStart.ts';
import { explainStartFailure } from '../process/explainStartFailure.ts';
import { ProgramNotStarted } from '../../base/errors/programNotStarted.ts';
import { explainSilentLimit } from '../process/explainSilentLimit.ts';

/** For exit codes 126 and 127, which a shell gives for a command that it cannot start. */
const NOT_FOUND_HINT =
  'A command was not found or is not executable: install it, or fix `command:` of the agent markdown, the script that it names, or the first line (#!) of that script.';
/** Where the program of an agent is named. */
const HINT = 'Check `command:` of the agent markdown.';
/** sysexits' EX_TEMPFAIL: the program wants to continue later. */
const EXIT_PAUSE = 75;
/**
 * How long output may still arrive after every process is gone, ms: a process of another user could
 * hold the pipe.
 */
const DRAIN_MS = 1_000;
/**
 * What each line counts against the output limit beside its bytes: it is stored as a row, however
 * short it is.
 */
const LINE_COST_BYTES = 64;
const NEWLINE = 0x0a;

interface CommandSessionOptions {
  request: SessionRequest;
  program: string;
  args: readonly string[];
  clock: Clock;
  graceMs: number;
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

/**
 * One run of a program as an agent session, in a process group of its own that is gone when
 * `result` settles.
 */
export class CommandSession implements Session {
  readonly result: Promise<SessionResult>;
  /** A program reads its prompts once. */
  readonly steering = null;
  readonly #options: CommandSessionOptions;
  readonly #words = new LastWords();
  #pgid: number | undefined;
  #exited = false;
  /** Why the runner ended the session; the first reason counts. */
  #cause: Pick<SessionResult, 'stopReason' | 'error' | 'fault'> | null = null;
  #outputBytes = 0;
  #answeredChars = 0;
  /** Settled when all lines so far are stored. */
  #kept: Promise<unknown> | undefined;

  constructor(options: CommandSessionOptions) {
    this.#options = options;
    this.result = this.#run().catch((error: unknown) => ({
      stopReason: 'error',
      error: toErrorMessage(error),
      fault: toThrownFault(error),
      usage: null,
    }));
  }

  async end(graceMs: number): Promise<void> {
    if (!this.#exited) this.#cause ??= { stopReason: 'interrupted', error: null };
    if (this.#pgid !== undefined) await endGroup(this.#options.clock, this.#pgid, graceMs);
  }

  async #run(): Promise<SessionResult> {
    const { request, program, args, clock, graceMs } = this.#options;
    const { cwd, marker } = request;
    const env = { ...request.env, SVC_SESSION_DIR: request.sessionDir, [MARKER_VARIABLE]: marker };
    const programStart = wrapSessionStart(request, { program, args }, env);
    const explain = (error: unknown) => explainStartFailure(error, { cwd, program, hint: HINT });
    let child: Child;
    try {
      child = spawn(programStart.program, programStart.args, {
        cwd,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      });
    } catch (error) {
      // Node throws what a kernel seldom answers, such as ENOTDIR, and emits the rest.
      throw new ProgramNotStarted(explain(error), error);
    }
    // The kickoff is a file in the session's folder, so a program that was started has it.
    child.once('spawn', () => this.#tell({ type: 'message', id: KICKOFF, state: 'delivered' }));
    const exit = new Promise<ProgramExit>((resolve, reject) => {
      child.once('exit', (code, signal) => resolve(decodeSandboxExit(request, code, signal)));
      child.once('error', reject);
    });
    const outputEnd = this.#read(child);
    // Detached: the program leads a group whose number is its own.
    this.#pgid = child.pid;
    const stopTimer = clock.at(clock.now() + request.limits.timeMs, () => this.#timeOver());
    let programExit: ProgramExit;
    try {
      programExit = await exit;
    } catch (error) {
      return { stopReason: 'error', error: explain(error), fault: 'not-started', usage: null };
    } finally {
      this.#exited = true;
      stopTimer();
    }
    if (child.pid !== undefined) await endGroup(clock, child.pid, graceMs);
    // A child that made a group of its own is no longer in ours, but carries the marker.
    await endMarkedProcesses(clock, (marker) => marker === request.marker, graceMs);
    const giveUp = clock.at(clock.now() + DRAIN_MS, () => {
      child.stdout.destroy();
      child.stderr.destroy();
    });
    await outputEnd;
    giveUp();
    const report = await readCommandReport(request.sessionDir);
    if (report.problem !== null)
      this.#tell({ type: 'log', stream: 'control', line: `${REPORT_FILE}: ${report.problem}.` });
    const usageReport = this.#toUsageReport(report);
    if (usageReport !== null) this.#tell({ ...usageReport, model: report.model });
    await this.#kept;
    const usage =
      usageReport === null || usageReport.source === 'estimated' ? null : usageReport.usage;
    return this.#runSample(programExit, { usage, quota: report.quota });
  }

  /** The tokens of a report, with estimates for wrong counts; null = no counts. */
  #toUsageReport({ counts }: CommandReport): UsageReport | null {
    if (counts === null) return null;
    // A program that has asked no model reports 0, which is correct.
    if (counts.problem === null) return { type: 'usage', usage: dropUnwrittenTokens(counts.usage) };
    const { systemPrompt, kickoff } = this.#options.request;
    const promptChars = systemPrompt.length + kickoff.length;
    const { usage, isEstimated } = estimateMissing(counts.usage, {
      asked: promptChars,
      answered: this.#answeredChars,
    });
    return {
      type: 'usage',
      usage: dropUnwrittenTokens(usage),
      ...(isEstimated ? { source: 'estimated' } : {}),
    };
  }

  #read(child: Child): Promise<unknown> {
    return Promise.all(
      (['stdout', 'stderr'] as const).map(async (stream) => {
        const lines = new OutputLines((line) => this.#line(stream, line), { colours: true });
        try {
          for await (const chunk of child[stream]) {
            lines.push(this.#cutToLimit(chunk));
            // Lines that wait to be stored fill the memory, and a program can write faster than a
            // disk.
            await this.#kept;
          }
        } catch {
          // The stream was destroyed; the output left in it is lost.
        }
        lines.end();
        await this.#kept;
      }),
    );
  }

  /** The part of a chunk that is within the limit. */
  #cutToLimit(chunk: Buffer): Buffer {
    const { outputBytes } = this.#options.request.limits;
    for (let from = 0; from < chunk.length; ) {
      const newline = chunk.indexOf(NEWLINE, from);
      const next = newline === -1 ? chunk.length : newline + 1;
      const cost = next - from + (newline === -1 ? 0 : LINE_COST_BYTES);
      const room = outputBytes - this.#outputBytes;
      this.#outputBytes += cost;
      if (cost > room) {
        this.#limit(`The output limit of ${outputBytes} bytes is reached.`);
        return chunk.subarray(0, from + Math.max(0, Math.min(next - from, room)));
      }
      from = next;
    }
    return chunk;
  }

  #line(stream: 'stdout' | 'stderr', line: string): void {
    // The log is kept and shown; the token would open the job's tools to anyone who reads it in
    // time.
    const { token } = this.#options.request.tools;
    const safe = screenColoured(line, (text) => text.replaceAll(token, '[token]'));
    this.#words.add(removeColours(safe));
    this.#answeredChars += safe.length;
    this.#tell({ type: 'log', stream, line: safe });
  }

  #tell(event: SessionEvent): void {
    const endForLostOutput = (error: unknown) =>
      void this.#endFor('error', `The output could not be kept: ${toErrorMessage(error)}`);
    try {
      this.#kept = this.#options.request.onEvent(event)?.catch(endForLostOutput);
    } catch (error) {
      endForLostOutput(error);
    }
  }

  #limit(error: string): void {
    if (this.#endFor('limit', `${error} The session was ended.`))
      this.#tell({ type: 'log', stream: 'control', line: `${error} The session was ended.` });
  }

  #timeOver(): void {
    const { timeMs } = this.#options.request.limits;
    if (this.#outputBytes > 0) {
      this.#limit(`The time limit of ${timeMs / 1000} s is over.`);
      return;
    }
    const error = explainSilentLimit(timeMs);
    if (this.#endFor('error', error, 'unknown'))
      this.#tell({ type: 'log', stream: 'control', line: error });
  }

  #endFor(stopReason: StopReason, error: string, fault: SessionFault = 'not-written'): boolean {
    if (this.#cause) return false;
    this.#cause = { stopReason, error, ...(stopReason === 'error' ? { fault } : {}) };
    if (this.#pgid !== undefined)
      void endGroup(this.#options.clock, this.#pgid, this.#options.graceMs);
    return true;
  }

  #runSample(
    { code, signal }: ProgramExit,
    { usage, quota }: Pick<SessionResult, 'usage'> & Pick<CommandReport, 'quota'>,
  ): SessionResult {
    if (this.#cause) return { ...this.#cause, usage };
    if (code === 0) return { stopReason: 'end_turn', error: null, usage };
    if (code === EXIT_PAUSE && quota === null)
      return { stopReason: 'pause_turn', error: null, usage };
    const how = code === null ? `was killed by ${signal}` : `ended with exit code ${code}`;
    const fault = toExitFault(code ?? 0);
    const advice = fault === 'not-started' ? ` ${NOT_FOUND_HINT}` : '';
    const error = `${this.#options.program} ${how}.${advice} ${this.#words.sentence()}`;
    if (quota !== null) return { ...createQuotaStop(quota, error), usage };
    return code === null
      ? { stopReason: 'died', error, usage }
      : { stopReason: 'error', error, fault, exitCode: code, usage };
  }
}

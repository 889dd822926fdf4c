import { raceDeadline } from '../../base/time/waiting.ts';
import type {
  Session,
  SessionEvent,
  SessionRequest,
  SessionResult,
  Steering,
} from '../../contract/session/executor.ts';
import type { StopReason } from '../../base/jobs/stopReasons.ts';
import { computeOutputCost } from '../../executors/process/sessionOutput.ts';
import { MAX_LINE_BYTES, OutputLines } from '../../executors/process/outputLines.ts';
import { estimateLine, estimateMissing } from '../../base/spending/parseTokenCounts.ts';
import { dropUnwrittenTokens } from '../../base/spending/usageSum.ts';
import { toErrorMessage } from '../../base/errors/errors.ts';
import { parsePluginEvent, parseResult, type ReportedCounts } from './pluginAnswers.ts';
import type { Ending, PluginProcess } from './pluginProcess.ts';
import { PluginSteering } from './pluginSteering.ts';
import type { Report } from './protocol.ts';

/** Longest name and id of a tool call, characters. */
const MAX_NAME_CHARS = 200;
/** Longest line about a tool call, characters. */
const MAX_DETAIL_CHARS = 500;
/** How long a plugin may exceed its time limit to end by itself, ms. */
const LIMIT_GRACE_MS = 2_000;

interface PluginSessionOptions {
  request: SessionRequest;
  clock: { now(): number; at(atMs: number, run: () => void): () => void };
  /** As the manifest says. */
  steering: boolean;
  /** Removes the tool token and the plugin's secrets. */
  screen(text: string): string;
  start(onReport: (report: Report) => void): PluginProcess;
  /** Ends processes of the session that left the plugin's process group. */
  endLeftOvers(): Promise<unknown>;
  /** Called when it ended: null = properly, else what the plugin did wrong. */
  onEnd(fault: string | null): void;
}

/** An agent session of an installed plugin in its own process; it ends with the process. */
export class PluginSession implements Session {
  readonly result: Promise<SessionResult>;
  readonly steering: Steering | null;
  readonly #options: PluginSessionOptions;
  readonly #process: PluginProcess;
  readonly #steering: PluginSteering | null;
  #outputBytes = 0;
  /** Characters that the agent has written, and how many of them token reports cover. */
  #answeredChars = 0;
  #countedChars = 0;
  #isNoted = false;
  #over = false;
  /** Settled when all events so far are stored. */
  #kept: Promise<unknown> = Promise.resolve();
  #cause: { stopReason: StopReason; error: string | null } | null = null;

  constructor(options: PluginSessionOptions) {
    this.#options = options;
    const { request, clock } = options;
    this.#process = options.start((report) => this.#take(report));
    this.#steering = options.steering
      ? new PluginSteering(clock, (nudge) => this.#process.nudge(nudge))
      : null;
    this.steering = this.#steering;
    const stopTimer = clock.at(clock.now() + request.limits.timeMs, () =>
      this.#limit(`The time limit of ${request.limits.timeMs / 1000} s is over.`, LIMIT_GRACE_MS),
    );
    this.result = this.#process.ending.then(async (ending) => {
      stopTimer();
      this.#over = true;
      this.#steering?.end();
      await options.endLeftOvers();
      await this.#kept;
      return this.#runSample(ending);
    });
  }

  async end(graceMs: number): Promise<void> {
    if (this.#over) return;
    this.#cause ??= { stopReason: 'interrupted', error: null };
    await this.#endWithin(graceMs);
  }

  async #endWithin(graceMs: number): Promise<void> {
    this.#process.nudge({ nudge: 'end', graceMs });
    const { clock } = this.#options;
    await raceDeadline(clock, graceMs, this.#process.ending, () => null);
    if (!this.#over) await this.#process.end('It did not stop after an interrupt.', 0);
  }

  #take(report: Report): void {
    if (report.report === 'answered')
      this.#steering?.settleAnswer(Number(report.n), report.yes === true);
    if (report.report !== 'event' || this.#cause?.stopReason === 'limit') return;
    const event = parsePluginEvent(report.event);
    if (event === null) {
      this.#wrong('it sent an invalid event');
      return;
    }
    const keep = async () => {
      try {
        await Promise.all(this.#lines(event).map((one) => this.#options.request.onEvent(one)));
        this.#process.nudge({ nudge: 'kept', n: Number(report.n) });
      } catch (error) {
        this.#wrong(`the output could not be kept: ${toErrorMessage(error)}`);
      }
    };
    this.#kept = Promise.all([this.#kept, keep()]);
  }

  /** Usage of a call, with an estimate where the plugin's counts are wrong. */
  #countUsage({ counts, report }: ReportedCounts): SessionEvent[] {
    const { systemPrompt, kickoff } = this.#options.request;
    const answeredChars = this.#answeredChars - this.#countedChars;
    this.#countedChars = this.#answeredChars;
    const chars = { asked: systemPrompt.length + kickoff.length, answered: answeredChars };
    const { usage, isEstimated } =
      counts.problem === null
        ? { usage: counts.usage, isEstimated: false }
        : estimateMissing(counts.usage, chars);
    const lines = this.#noteOnce(counts.problem);
    return [
      ...lines,
      {
        type: 'usage',
        usage: dropUnwrittenTokens(usage),
        ...report,
        ...(isEstimated ? { source: 'estimated' } : {}),
      },
    ];
  }

  /** The log line about ignored counts; written once. */
  #noteOnce(problem: string | null): SessionEvent[] {
    if (problem === null || this.#isNoted) return [];
    this.#isNoted = true;
    const line = this.#options.screen(estimateLine(problem));
    return [{ type: 'log', stream: 'control', line }];
  }

  /** One event per line, cut to the length of a log line, without escapes and secrets. */
  #lines(event: NonNullable<ReturnType<typeof parsePluginEvent>>): SessionEvent[] {
    if (event.type === 'counts') return this.#isRoomFor('') ? this.#countUsage(event) : [];
    if (event.type === 'token' || event.type === 'thinking') {
      this.#answeredChars += event.text.length;
      return this.#isRoomFor(event.text)
        ? [{ ...event, text: this.#options.screen(event.text) }]
        : [];
    }
    if (event.type === 'tool') {
      const [id, name, detail] = [event.id, event.name, event.detail].map(this.#options.screen);
      const short = {
        id: (id ?? '').slice(0, MAX_NAME_CHARS),
        name: (name ?? '').slice(0, MAX_NAME_CHARS),
        detail: (detail ?? '').slice(0, MAX_DETAIL_CHARS),
      };
      return this.#isRoomFor(`${event.name}${event.detail}`) ? [{ ...event, ...short }] : [];
    }
    // They have no log text, but each is handled and may be stored.
    if (event.type !== 'log') {
      const errorText = event.type === 'turn' ? (event.error ?? '') : '';
      if (!this.#isRoomFor(errorText)) return [];
      return [
        event.type === 'turn' && event.error !== null
          ? { ...event, error: this.#options.screen(errorText) }
          : event,
      ];
    }
    this.#answeredChars += event.line.length;
    const bytes = Buffer.from(this.#options.screen(event.line)).subarray(0, 16 * MAX_LINE_BYTES);
    if (!this.#isRoomFor(event.line)) return [];
    const sessionEvents: SessionEvent[] = [];
    const lines = new OutputLines((line) => sessionEvents.push({ ...event, line }));
    lines.push(bytes);
    lines.end();
    return sessionEvents;
  }

  #isRoomFor(text: string): boolean {
    this.#outputBytes += computeOutputCost(text);
    const { outputBytes } = this.#options.request.limits;
    if (this.#outputBytes <= outputBytes) return true;
    // At once, since a flood of output until its end would fill the memory.
    this.#limit(`The output limit of ${outputBytes} bytes is reached.`, 0);
    return false;
  }

  #limit(why: string, graceMs: number): void {
    if (this.#cause) return;
    const error = `${why} The session was ended.`;
    this.#cause = { stopReason: 'limit', error };
    void this.#options.request.onEvent({ type: 'log', stream: 'control', line: error });
    void this.#endWithin(graceMs);
  }

  #wrong(what: string): void {
    this.#cause ??= { stopReason: 'error', error: `The plugin broke its contract: ${what}.` };
    void this.#process.end(what, 0);
  }

  #runSample(ending: Ending): SessionResult {
    const { onEnd, screen } = this.#options;
    const parsed = 'answer' in ending ? parseResult(ending.answer) : null;
    const result = parsed?.result ?? null;
    for (const line of this.#noteOnce(parsed?.problem ?? null))
      void this.#options.request.onEvent(line);
    const usage = result?.usage ?? null;
    if (this.#cause) {
      onEnd(this.#cause.stopReason === 'error' ? this.#cause.error : null);
      return { ...this.#cause, usage };
    }
    if (result) {
      onEnd(null);
      return { ...result, error: result.error === null ? null : screen(result.error) };
    }
    const error = screen(
      'error' in ending ? ending.error : 'The plugin returned an invalid result.',
    );
    // A request that the plugin cannot serve is a mistake of the workflow.
    onEnd('code' in ending && ending.code === 'bad-argument' ? null : error);
    return {
      stopReason: 'code' in ending && ending.code === 'died' ? 'died' : 'error',
      error,
      usage: null,
    };
  }
}

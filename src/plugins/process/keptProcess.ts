import { type ErrorCode, toErrorMessage, SvcError } from '../../base/errors/errors.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { PluginProcess } from './pluginProcess.ts';
import type { KeptCall, Report } from './protocol.ts';

/** How long a process is kept without calls, ms; owners can choose another time. */
const IDLE_MS = 30_000;
/** Longest kept error message, characters. */
const MAX_MESSAGE_CHARS = 8_192;

/** Errors of an scm plugin that are passed on; every other one is a mistake of the plugin. */
const SCM_ERRORS: ReadonlySet<string> = new Set<ErrorCode>([
  'not-found',
  'conflict',
  'bad-argument',
  'forbidden',
  'config-invalid',
  'rate-limited',
  'unreachable',
]);

export interface KeptProcessOptions {
  clock: Clock;
  /** Longest answer, ms. */
  answerMs: number;
  /** How long it is kept without calls, ms; default 30 s. */
  idleMs?: number;
  /** Throws SvcError for settings that do not fit. */
  start(onReport: (report: Report) => void): Promise<PluginProcess>;
  screen(text: string): string;
  /** Called when the plugin hung or its process ended. */
  onFault(what: string): void;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: SvcError): void;
}

/**
 * A plugin's process that is kept between calls, since a forge is asked often and a decider has to
 * answer fast. The first call starts it; it ends after a time without calls. If it hangs or ends,
 * its open calls fail and the next call starts another.
 */
export class KeptProcess {
  readonly #options: KeptProcessOptions;
  #now: { process: Promise<PluginProcess>; waiting: Map<number, Waiting> } | null = null;
  #last = 0;
  #stopIdle = (): void => {};

  constructor(options: KeptProcessOptions) {
    this.#options = options;
  }

  /**
   * Throws SvcError: the plugin's own, `unreachable` without an answer, `invalid` for an error that
   * the contract does not name.
   */
  async call(call: KeptCall): Promise<unknown> {
    const { clock, answerMs, onFault } = this.#options;
    const { process, waiting } = this.#open();
    this.#stopIdle();
    this.#last += 1;
    const n = this.#last;
    const stopTimer = clock.at(clock.now() + answerMs, () => {
      const what = `${call.method}() did not answer within ${answerMs / 1000} s.`;
      onFault(what);
      process.then((running) => running.end(what, 0)).catch(() => {});
    });
    try {
      return await new Promise((resolve, reject) => {
        waiting.set(n, { resolve, reject });
        process.then((running) => running.nudge({ nudge: 'call', n, call })).catch(() => {});
      });
    } finally {
      stopTimer();
      waiting.delete(n);
      if (waiting.size === 0) this.#endWhenIdle();
    }
  }

  async stop(): Promise<void> {
    this.#stopIdle();
    const now = this.#now;
    this.#now = null;
    const running = await now?.process.catch(() => null);
    await running?.end('The plugin was stopped.', 0);
  }

  #endWhenIdle(): void {
    const { clock, idleMs = IDLE_MS } = this.#options;
    this.#stopIdle();
    this.#stopIdle = clock.at(clock.now() + idleMs, () => void this.stop());
  }

  #open() {
    if (this.#now !== null) return this.#now;
    const waiting = new Map<number, Waiting>();
    const take = (report: Report): void => this.#take(waiting, report);
    const now = { waiting, process: this.#options.start(take) };
    this.#now = now;
    const over = (why: string): void => {
      if (this.#now === now) this.#now = null;
      for (const { reject } of waiting.values()) reject(new SvcError('unreachable', why));
    };
    now.process.then(
      async (running) => {
        const ending = await running.ending;
        const why = 'error' in ending ? ending.error : "The plugin's process exited unexpectedly.";
        if (waiting.size > 0) this.#options.onFault(this.#options.screen(why));
        over(this.#options.screen(why));
      },
      (error: unknown) => over(toErrorMessage(error)),
    );
    return now;
  }

  #take(waiting: ReadonlyMap<number, Waiting>, report: Report): void {
    if (report.report === 'called') waiting.get(Number(report.n))?.resolve(report.value);
    if (report.report !== 'refused') return;
    const code = SCM_ERRORS.has(report.code) ? (report.code as ErrorCode) : 'invalid';
    const message = this.#options.screen(String(report.message)).slice(0, MAX_MESSAGE_CHARS);
    const data = typeof report.retryAt === 'number' ? { retryAt: report.retryAt } : {};
    waiting.get(Number(report.n))?.reject(new SvcError(code, message, { data }));
  }
}

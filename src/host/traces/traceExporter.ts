import { toErrorMessage } from '../../base/errors/errors.ts';
import type { Clock } from '../../base/time/clock.ts';
import { raceDeadline } from '../../base/time/waiting.ts';
import type { RowChange } from '../../contract/records/changes.ts';
import type { TraceSettings } from '../../contract/schema/runner/traceSettings.ts';
import type { CommitNotice } from '../../kernel/contract.ts';
import { collectJobSpans, NO_MARK, type SpanSources, type TraceMark } from './collectJobSpans.ts';
import { encodeSpans, type JobSpans } from './encodeSpans.ts';
import { parseHeaderList, type Post, type PostOutcome } from './postSpans.ts';

/** How long after a commit its spans are sent, ms: one request for many commits. */
const SEND_AFTER_MS = 5_000;
/** Most spans of a request. */
export const MOST_SPANS = 512;
/** Wait after the first failed request in a row, ms; it doubles with each further one. */
const FIRST_RETRY_MS = 5_000;
/** Longest wait that svc chooses, ms. */
const LONGEST_RETRY_MS = 600_000;
/** Longest wait that a collector may ask for, ms. */
const LONGEST_ASKED_MS = 3_600_000;
/** Largest part by which a wait is longer than planned, so that not all runners come back together. */
const JITTER = 0.2;
/** A start looks for jobs that have changed within this time, ms: three days. */
const LOOKED_BACK_MS = 259_200_000;
/** Most jobs that a start looks for. */
const MOST_JOBS_AT_START = 2_000;
const JOBS_AT_ONCE = 200;
/** How long a stop waits beyond its grace for a mark that is being written, ms. */
const LAST_WRITE_MS = 1_000;

export interface TraceExporterDeps {
  sources: SpanSources;
  writeRows(changes: RowChange[]): Promise<void>;
  onCommit(listener: (notice: CommitNotice) => void): () => void;
  clock: Clock;
  /** From 0 up to 1. */
  random(): number;
  log: {
    error(facts: object, text: string): void;
    warn(facts: object, text: string): void;
    info(facts: object, text: string): void;
  };
  homeId: string;
  version: string;
  /** Sends a request. Never rejects. */
  post(request: Post): Promise<PostOutcome>;
  /** Read again for each request. */
  settings(): TraceSettings;
  /** The runner's environment. */
  env: Readonly<Record<string, string | undefined>>;
  addSecrets(secrets: string[]): void;
  /** Takes known secrets out. */
  screen(text: string): string;
}

interface CollectedJob extends JobSpans {
  mark: TraceMark;
}

/**
 * Sends the spans of jobs to a collector. It only reads what is committed, in its own time: no commit
 * and no job waits for it. A mark for each job is written when its spans were taken, so that all
 * are sent at least once, and again with the same ids after a crash.
 */
export class TraceExporter {
  readonly #deps: TraceExporterDeps;
  /** Jobs that may have spans to send, those that have waited longest first. */
  readonly #changed = new Set<string>();
  readonly #stopping = new AbortController();
  #sending: Promise<void> | null = null;
  #cancelTimer: (() => void) | null = null;
  #unsubscribe: () => void = () => {};
  /** In a row, since the settings changed last. */
  #failures = 0;
  /** Whether the log says that traces cannot be sent. */
  #hasReportedFailure = false;

  constructor(deps: TraceExporterDeps) {
    this.#deps = deps;
  }

  /** Sends what waits and what comes. */
  start(): void {
    this.#unsubscribe = this.#deps.onCommit(({ frames }) => {
      for (const { actor, kind } of frames) if (kind === 'state') this.#changed.add(actor);
      if (this.#changed.size > 0 && this.#failures === 0) this.#sendSoon(SEND_AFTER_MS);
    });
    this.#findChangedJobs();
    this.#sendSoon(0);
  }

  /** The settings have changed: a collector that was repaired is tried now. */
  settingsChanged(): void {
    this.#cancel();
    this.#failures = 0;
    this.#sendSoon(0);
  }

  /** Resolves when nothing is sent any more; a request that lasts is ended after `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    this.#unsubscribe();
    this.#cancel();
    const { clock } = this.#deps;
    const cancel = clock.at(clock.now() + graceMs, () => this.#stopping.abort());
    // What ended with the last commits.
    if (this.#failures === 0) this.#send();
    await raceDeadline(
      clock,
      graceMs + LAST_WRITE_MS,
      this.#sending ?? Promise.resolve(),
      () => undefined,
    );
    cancel();
    this.#stopping.abort();
  }

  #findChangedJobs(): void {
    const { sources, clock } = this.#deps;
    const since = clock.now() - LOOKED_BACK_MS;
    for (let offset = 0; offset < MOST_JOBS_AT_START; offset += JOBS_AT_ONCE) {
      const jobs = sources.rows.all(
        'job_list',
        {},
        { order: 'since', desc: true, limit: JOBS_AT_ONCE, offset },
      );
      for (const job of jobs) if (job.since >= since) this.#changed.add(job.job_id);
      if (jobs.length < JOBS_AT_ONCE || jobs.some((job) => job.since < since)) return;
    }
  }

  #cancel(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  #sendSoon(ms: number): void {
    if (this.#stopping.signal.aborted || this.#cancelTimer !== null) return;
    const { clock } = this.#deps;
    this.#cancelTimer = clock.at(clock.now() + ms, () => {
      this.#cancelTimer = null;
      this.#send();
    });
  }

  #send(): void {
    if (this.#sending !== null) return;
    this.#sending = this.#sendAll()
      .catch((err: unknown) => {
        this.#deps.log.error({ err }, 'traces could not be sent; they are tried again');
        this.#retryLater(null);
      })
      .finally(() => {
        this.#sending = null;
        if (this.#changed.size > 0 && this.#failures === 0) this.#sendSoon(SEND_AFTER_MS);
      });
  }

  async #sendAll(): Promise<void> {
    const { signal } = this.#stopping;
    while (this.#changed.size > 0 && !signal.aborted) {
      const jobs = await this.#collect();
      let isDelivered = false;
      try {
        const failed = await this.#deliver(jobs);
        isDelivered = failed === null;
        if (failed !== null && !signal.aborted) this.#retryLater(failed);
      } finally {
        if (!isDelivered) for (const { jobId } of jobs) this.#changed.add(jobId);
      }
      if (!isDelivered) return;
    }
  }

  /** Spans for about one request. */
  async #collect(): Promise<CollectedJob[]> {
    const { sources, log } = this.#deps;
    const jobs: CollectedJob[] = [];
    let count = 0;
    for (const jobId of this.#changed) {
      this.#changed.delete(jobId);
      try {
        const mark = sources.rows.one('trace_marks', { job_id: jobId }) ?? NO_MARK;
        const collected = await collectJobSpans(sources, jobId, mark);
        if (collected === null || collected.spans.length === 0) continue;
        jobs.push({ jobId, ...collected });
        count += collected.spans.length;
      } catch (error) {
        // A job whose rows cannot be read must not hold up the others.
        log.warn({ jobId, problem: toErrorMessage(error) }, 'the trace of a job cannot be built');
      }
      if (count >= MOST_SPANS) break;
    }
    return jobs;
  }

  /** Null: all is settled. Else nothing is marked, and all is sent again. */
  async #deliver(jobs: readonly CollectedJob[]): Promise<{ retryAfterMs: number | null } | null> {
    for (const part of splitJobs(jobs)) {
      const outcome = await this.#post(part);
      this.#report(outcome, part);
      if (outcome.is === 'failed') return outcome;
    }
    if (jobs.length === 0) return null;
    await this.#deps.writeRows(
      jobs.map(({ jobId, mark }) => ({
        op: 'put',
        table: 'trace_marks',
        row: { job_id: jobId, frame: mark.frame, seq: mark.seq },
      })),
    );
    return null;
  }

  #post(jobs: readonly JobSpans[]): Promise<PostOutcome> {
    const { settings, env, homeId, version, clock, addSecrets } = this.#deps;
    const { endpoint, headers, headersVariable, serviceName } = settings();
    const ownHeaders = headersVariable === '' ? {} : parseHeaderList(env[headersVariable] ?? '');
    addSecrets(Object.values(ownHeaders));
    return this.#deps.post({
      endpoint,
      headers: { ...headers, ...ownHeaders },
      body: encodeSpans({ homeId, serviceName, version }, jobs),
      signal: this.#stopping.signal,
      now: clock.now,
    });
  }

  #report(outcome: PostOutcome, jobs: readonly JobSpans[]): void {
    const { log, screen } = this.#deps;
    const spans = countSpans(jobs);
    if (outcome.is === 'failed') {
      if (this.#failures > 0 || this.#stopping.signal.aborted) return;
      this.#hasReportedFailure = true;
      log.warn(
        { problem: screen(outcome.problem) },
        'traces could not be sent; they are tried again, and svc doctor shows why',
      );
      return;
    }
    if (this.#hasReportedFailure) log.info({}, 'traces are sent again');
    this.#hasReportedFailure = false;
    this.#failures = 0;
    if (outcome.is === 'dropped')
      log.warn({ problem: screen(outcome.problem), spans }, 'the collector refuses spans for good');
    else if (outcome.rejected > 0 || outcome.message !== '')
      log.warn(
        { rejected: outcome.rejected, spans, message: screen(outcome.message) },
        'the collector has not taken all spans',
      );
  }

  #retryLater(failed: { retryAfterMs: number | null } | null): void {
    this.#failures += 1;
    const planned = Math.min(
      FIRST_RETRY_MS * 2 ** Math.min(this.#failures - 1, 20),
      LONGEST_RETRY_MS,
    );
    const retryAfterMs = Math.min(failed?.retryAfterMs ?? 0, LONGEST_ASKED_MS);
    this.#cancel();
    this.#sendSoon(Math.max(planned, retryAfterMs) * (1 + JITTER * this.#deps.random()));
  }
}

const countSpans = (jobs: readonly JobSpans[]): number =>
  jobs.reduce((sum, { spans }) => sum + spans.length, 0);

/** The same spans in parts of at most {@link MOST_SPANS}. */
function splitJobs(jobs: readonly JobSpans[]): JobSpans[][] {
  const parts: JobSpans[][] = [];
  let part: JobSpans[] = [];
  for (const { jobId, spans } of jobs)
    for (let at = 0; at < spans.length; ) {
      const room = MOST_SPANS - countSpans(part);
      part.push({ jobId, spans: spans.slice(at, at + room) });
      at += room;
      if (countSpans(part) < MOST_SPANS) continue;
      parts.push(part);
      part = [];
    }
  return part.length === 0 ? parts : [...parts, part];
}

import { MAX_PART_BYTES, MAX_ROWS, MAX_UNACKNOWLEDGED_JOBS } from '../contract/channel/limits.ts';
import type { Frame, JobsPlace } from '../contract/channel/frames.ts';
import type { Clock } from '../base/time/clock.ts';
import { waitForNextTurn } from '../base/concurrency/waitForNextTurn.ts';
import type { Runner } from '../contract/runner/runner.ts';
import type { JobSummary } from '../contract/schema/job/job.ts';
import { formatListMark, type ListMark, parseListMark } from './listMark.ts';
import { joinListRows, toListRow } from './toListRow.ts';

export type JobSource = Pick<Runner, 'jobs' | 'watchJobs'>;

interface JobSenderOptions {
  jobs: JobSource;
  /** Numbers the frames of this process. */
  source: string;
  homeId: string;
  clock: Clock;
  /** Number of the newest entry of the home's log; null = it has none. */
  readHead(): number | null;
  onError(error: unknown): void;
}

/** How long changes are collected before they are sent, ms. */
const COLLECT_MS = 100;
/** Jobs read at once while a list is sent; a page of them takes a few ms. */
const PAGE = 50;
/** Changes that are kept while nothing can be sent; with more, what has changed is read again later. */
const MOST_KEPT = 2_000;
/** What a clock that was set back may hide, ms: this much is sent again after a restart. */
const OVERLAP_MS = 10 * 60_000;
/** Jobs that a restart sends again, whatever the mark says: nothing of them is over. */
const OPEN_JOBS = 'queued,working,waiting,needs-you';

type Range = Frame<'jobs'>['range'];

/** A job, and the newest entry of the home's log when it was read. */
interface ReadJob {
  job: JobSummary;
  readAt: number | null;
}

/**
 * Keeps the list of jobs of a control plane equal to that of this runner: sends what changes, and after a start what
 * has changed since the mark that the control plane has; the first time, everything, a page at a time. A frame is kept
 * until it is acknowledged, and its rows are sent again on the next socket.
 */
export class JobSender {
  readonly #options: JobSenderOptions;
  /** Jobs of frames that were not acknowledged, by number. */
  readonly #sent = new Map<number, readonly ReadJob[]>();
  readonly #unwatch: () => void;
  #changed = new Map<string, ReadJob>();
  /** What has changed since a page of the list was read: its row there is old. */
  readonly #newer = new Map<string, ReadJob>();
  /** More has changed than was kept. */
  #isCut = false;
  #n = 0;
  #mark: ListMark;
  #send: ((frame: Frame<'jobs'>) => void) | null = null;
  /** While a list is read and sent; ended with its socket. */
  #listing: AbortController | null = null;
  #cancelFlush: (() => void) | null = null;
  #wake: (() => void) | undefined;

  constructor(options: JobSenderOptions) {
    this.#options = options;
    this.#mark = { home: options.homeId, next: 0, at: 0 };
    this.#unwatch = options.jobs.watchJobs((jobs) => this.#note(jobs));
  }

  get place(): { source: string; n: number } {
    return { source: this.#options.source, n: this.#n };
  }

  /** Begins on a new socket, at the place that the control plane has. */
  attach(send: (frame: Frame<'jobs'>) => void, place: JobsPlace | null): void {
    this.detach();
    const { source, homeId } = this.#options;
    const isKnown = place?.source === source;
    // Newest first: what has changed since a frame was sent counts.
    for (const [n, jobs] of [...this.#sent].reverse()) {
      if (isKnown && n <= place.n) break;
      for (const one of jobs)
        if (!this.#changed.has(one.job.id)) this.#changed.set(one.job.id, one);
    }
    this.#sent.clear();
    this.#send = send;
    const listing = new AbortController();
    this.#listing = listing;
    const mark = place === null ? null : parseListMark(place.mark, homeId);
    if (mark === null) this.#mark = { home: homeId, next: 0, at: this.#options.clock.now() };
    else this.#mark = mark;
    const since = this.#mark.at - OVERLAP_MS;
    const needsChanges = mark !== null && (!isKnown || this.#isCut);
    this.#isCut = false;
    this.#flushSoon();
    this.#list(listing.signal, needsChanges ? since : null)
      .catch((error: unknown) => {
        this.#isCut = true;
        this.#options.onError(error);
      })
      .finally(() => {
        if (this.#listing === listing) this.#listing = null;
      });
  }

  /** The socket is gone. */
  detach(): void {
    this.#send = null;
    this.#listing?.abort();
    this.#listing = null;
    this.#cancelFlush?.();
    this.#cancelFlush = null;
    this.#wake?.();
  }

  acknowledge({ source, n }: { source: string; n: number }): void {
    if (source !== this.#options.source) return;
    for (const number of [...this.#sent.keys()]) if (number <= n) this.#sent.delete(number);
    this.#wake?.();
    this.#flush();
  }

  close(): void {
    this.detach();
    this.#unwatch();
  }

  #note(jobs: readonly JobSummary[]): void {
    const readAt = this.#options.readHead();
    for (const job of jobs) {
      this.#changed.delete(job.id);
      this.#changed.set(job.id, { job, readAt });
      if (this.#listing !== null) this.#newer.set(job.id, { job, readAt });
    }
    if (this.#changed.size > MOST_KEPT && this.#send === null) {
      this.#changed = new Map();
      this.#isCut = true;
    }
    this.#flushSoon();
  }

  #flushSoon(): void {
    if (this.#send === null || this.#cancelFlush !== null) return;
    const { clock } = this.#options;
    this.#cancelFlush = clock.at(clock.now() + COLLECT_MS, () => {
      this.#cancelFlush = null;
      this.#flush();
    });
  }

  #flush(): void {
    while (this.#send !== null && this.#changed.size > 0 && this.#hasRoom()) {
      const { taken, rows } = takeRows([...this.#changed.values()]);
      for (const { job } of taken) this.#changed.delete(job.id);
      // Only with the last of them everything until now is sent.
      if (this.#changed.size === 0 && !this.#isCut)
        this.#mark = { ...this.#mark, at: this.#options.clock.now() };
      this.#sendRows(taken, rows, undefined);
    }
  }

  #hasRoom(): boolean {
    return this.#sent.size < MAX_UNACKNOWLEDGED_JOBS;
  }

  #sendRows(jobs: readonly ReadJob[], rows: readonly Uint8Array[], range: Range): void {
    this.#n += 1;
    const { source } = this.#options;
    this.#sent.set(this.#n, jobs);
    this.#send?.({
      type: 'jobs',
      source,
      n: this.#n,
      mark: formatListMark(this.#mark),
      readAt: jobs.map(({ readAt }) => readAt),
      ...(range ? { range } : {}),
      body: joinListRows(rows),
    });
  }

  /** Sends what has changed since a time, and the part of the list that was never sent. */
  async #list(signal: AbortSignal, since: number | null): Promise<void> {
    if (since !== null) await this.#sendChangedSince(since, signal);
    await this.#sendUnsent(signal);
  }

  async #sendChangedSince(since: number, signal: AbortSignal): Promise<void> {
    const isNew = ({ job: { since: at } }: ReadJob) => Date.parse(at) >= since;
    await this.#sendPages({ is: OPEN_JOBS, sort: 'created' }, signal, () => true);
    await this.#sendPages({ sort: '-since' }, signal, isNew);
  }

  /** Pages until one has a job that is not wanted. */
  async #sendPages(
    filter: { is?: string; sort: string },
    signal: AbortSignal,
    isWanted: (one: ReadJob) => boolean,
  ): Promise<void> {
    for (let offset = 0; ; offset += PAGE) {
      const jobs = await this.#readPage({ ...filter, offset });
      const wantedJobs = jobs.filter(isWanted);
      if (!(await this.#sendPage(wantedJobs, signal, () => undefined))) return;
      if (wantedJobs.length < PAGE) return;
    }
  }

  /** The list in the order of creation, with the borders of each frame: what is not in it no longer exists. */
  async #sendUnsent(signal: AbortSignal): Promise<void> {
    let after: string | null = null;
    for (let offset = this.#mark.next; offset !== null; offset = this.#mark.next) {
      const from: number = offset;
      const jobs = await this.#readPage({ sort: 'created', offset: from });
      const isLast = jobs.length < PAGE;
      let sentCount = 0;
      const isSent = await this.#sendPage(jobs, signal, (sentJobs) => {
        sentCount += sentJobs.length;
        const isEnd = isLast && sentCount === jobs.length;
        this.#mark = { ...this.#mark, next: isEnd ? null : from + sentCount };
        const before = isEnd ? null : (sentJobs.at(-1)?.job.createdAt ?? null);
        // The first frame of a continued list does not know where the one before it ended.
        const range =
          from > 0 && after === null && sentCount === sentJobs.length
            ? undefined
            : { after, before };
        after = before;
        return range;
      });
      if (!isSent) return;
    }
  }

  async #readPage(filter: { is?: string; sort: string; offset: number }): Promise<ReadJob[]> {
    this.#newer.clear();
    // Before it is read: what comes meanwhile may be in it or not.
    const readAt = this.#options.readHead();
    const { jobs } = await this.#options.jobs.jobs({ ...filter, limit: PAGE });
    return jobs.map((job) => ({ job, readAt }));
  }

  /** Sends jobs as frames, as acknowledgements make room. false = the socket is gone. */
  async #sendPage(
    jobs: readonly ReadJob[],
    signal: AbortSignal,
    place: (sentJobs: readonly ReadJob[]) => Range,
  ): Promise<boolean> {
    let remainingJobs = jobs;
    do {
      while (!signal.aborted && !this.#hasRoom())
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      await waitForNextTurn();
      if (signal.aborted) return false;
      const { taken, rows } = takeRows(
        remainingJobs.map((one) => this.#newer.get(one.job.id) ?? one),
      );
      remainingJobs = remainingJobs.slice(taken.length);
      const range = place(taken);
      if (taken.length > 0 || range !== undefined) this.#sendRows(taken, rows, range);
    } while (remainingJobs.length > 0);
    return true;
  }
}

/** The first jobs that fit into one frame together. */
function takeRows(jobs: readonly ReadJob[]): { taken: ReadJob[]; rows: Uint8Array[] } {
  const rows: Uint8Array[] = [];
  // The brackets; each row brings a comma.
  let bytes = 2;
  for (const { job } of jobs.slice(0, MAX_ROWS)) {
    const row = toListRow(job);
    bytes += row.length + 1;
    if (bytes > MAX_PART_BYTES) break;
    rows.push(row);
  }
  return { taken: jobs.slice(0, rows.length), rows };
}

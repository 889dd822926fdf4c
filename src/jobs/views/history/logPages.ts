import { waitForNextTurn } from '../../../base/concurrency/waitForNextTurn.ts';
import type { FrameReader, RawFrame } from '../../../kernel/sqlite/frameReader.ts';
import type { LogFrame } from '../../../contract/schema/job/frames.ts';
import {
  DEFAULT_LOG_LINES,
  DEFAULT_LOG_MATCHES,
  type LogMatches,
  type LogPage,
  type LogQuery,
  type LogSearchQuery,
  type NumberedLine,
} from '../../../contract/schema/job/jobLog.ts';
import { isErrorLine } from '../../../base/output/errorLine.ts';
import { removeColours } from '../../../base/output/colouredText.ts';

/** Most characters of stored lines in one page of a log. */
export const MAX_PAGE_CHARS = 2 * 1024 * 1024;
/** Lines read from the store at a time; other work gets its turn in between. */
const SLICE_LINES = 500;

/** Maps between log lines and frames of the stream. */
interface Numbering {
  lastFrame: number;
  total: number;
  findLine(n: number): number;
  /** Number of the frame of a line, or where it would be. */
  findFrame(line: number): number;
}

/** Counts the few frames that are not lines. */
function createLineNumbering(beside: readonly number[], lastFrame: number): Numbering {
  return {
    lastFrame,
    total: lastFrame - beside.length,
    findLine: (n) => n - countUpTo(beside, n),
    findFrame(line) {
      let low = 0;
      let high = beside.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        // The number of lines before that frame.
        if ((beside[middle] ?? 0) - middle - 1 < line) low = middle + 1;
        else high = middle;
      }
      return line + low;
    },
  };
}

/** How many of the ascending numbers are at most `n`. */
function countUpTo(ascending: readonly number[], n: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) <= n) low = middle + 1;
    else high = middle;
  }
  return low;
}

const toNumberedLine = ({ n, data }: RawFrame, { findLine }: Numbering): NumberedLine => {
  const line: LogFrame = JSON.parse(data);
  return { ...line, n, number: findLine(n) };
};

export interface LogPagesDeps {
  frames: FrameReader;
  readLastFrame(jobId: string): number;
}

/** Logs of jobs by pages, by search and complete; never a whole log in memory. */
export class LogPages {
  readonly #deps: LogPagesDeps;

  constructor(deps: LogPagesDeps) {
    this.#deps = deps;
  }

  /** Neighbouring lines, at least one if any exists; fewer than requested if they are long. */
  page(jobId: string, { from, before, limit = DEFAULT_LOG_LINES }: LogQuery): LogPage {
    const { frames } = this.#deps;
    const numbers = this.#numbers(jobId);
    const rawFrames: RawFrame[] = [];
    let chars = 0;
    let next =
      from === undefined ? numbers.findFrame(before ?? numbers.total + 1) : numbers.findFrame(from);
    while (rawFrames.length < limit && chars < MAX_PAGE_CHARS) {
      const room = Math.min(SLICE_LINES, limit - rawFrames.length);
      const slice =
        from === undefined
          ? frames.logBefore(jobId, next, room)
          : frames.logFrom(jobId, next, room);
      for (const frame of slice) {
        chars += frame.data.length;
        if (chars > MAX_PAGE_CHARS && rawFrames.length > 0) break;
        rawFrames.push(frame);
      }
      if (slice.length < room) break;
      next = (slice.at(-1)?.n ?? 0) + (from === undefined ? 0 : 1);
    }
    if (from === undefined) rawFrames.reverse();
    return {
      lines: rawFrames.map((frame) => toNumberedLine(frame, numbers)),
      total: numbers.total,
      lastFrame: numbers.lastFrame,
    };
  }

  total(jobId: string): number {
    return this.#numbers(jobId).total;
  }

  /** The last line of the job's agent or a tool among the newest lines; null = none. */
  readLastOutput(jobId: string): LogFrame | null {
    const newest = this.newest(jobId);
    return newest.find(({ from }) => from !== 'runner') ?? newest[0] ?? null;
  }

  /** Newest first. */
  newest(jobId: string): LogFrame[] {
    return this.#deps.frames
      .logBefore(jobId, Number.MAX_SAFE_INTEGER, LAST_LINES)
      .map(({ data }): LogFrame => JSON.parse(data));
  }

  /** Ends early when `signal` is aborted. */
  async search(
    jobId: string,
    { q, level, limit = DEFAULT_LOG_MATCHES }: LogSearchQuery,
    signal: AbortSignal,
  ): Promise<LogMatches> {
    const numbers = this.#numbers(jobId);
    const needle = q?.toLowerCase();
    const lineNumbers: number[] = [];
    for await (const line of this.#readAll(jobId, numbers, signal)) {
      const text = removeColours(line.line);
      if (needle !== undefined && !text.toLowerCase().includes(needle)) continue;
      if (level === 'error' && !isErrorLine({ ...line, line: text })) continue;
      if (lineNumbers.length === limit) return { numbers: lineNumbers, more: true };
      lineNumbers.push(line.number);
    }
    return { numbers: lineNumbers, more: false };
  }

  /** Every current line, oldest first. */
  lines(jobId: string, signal: AbortSignal): AsyncGenerator<NumberedLine> {
    return this.#readAll(jobId, this.#numbers(jobId), signal);
  }

  async *#readAll(
    jobId: string,
    numbers: Numbering,
    signal: AbortSignal,
  ): AsyncGenerator<NumberedLine> {
    for (let from = 1; from <= numbers.lastFrame && !signal.aborted; ) {
      const slice = this.#deps.frames.logFrom(jobId, from, SLICE_LINES);
      for (const frame of slice) {
        if (frame.n > numbers.lastFrame) return;
        yield toNumberedLine(frame, numbers);
      }
      if (slice.length < SLICE_LINES) return;
      from = (slice.at(-1)?.n ?? 0) + 1;
      await waitForNextTurn();
    }
  }

  #numbers(jobId: string): Numbering {
    const lastFrame = this.#deps.readLastFrame(jobId);
    return createLineNumbering(this.#deps.frames.listBesideLog(jobId, 0), lastFrame);
  }
}

/** Newest lines among which the last output of an agent is searched. */
const LAST_LINES = 20;

import type { Clock } from '../../base/time/clock.ts';
import { SvcError } from '../../base/errors/errors.ts';
import { readAtPath, toListOrEmpty, readListAt, readTextAt } from '../../base/json/untrusted.ts';
import { readLabels, parseNanoseconds } from '../observability/labels.ts';
import { clip } from '../../base/text/clip.ts';
import {
  askObservability,
  createWrongServerError,
  type ObservabilityServer,
} from '../observability/server.ts';
import {
  toIsoNanoseconds,
  resolveTimeRange,
  type TimeWords,
  type TimeRange,
} from '../observability/timeRange.ts';

type Direction = 'backward' | 'forward';

/**
 * Start of the next page. Lines have no ids, so it is the time of the last line and the number of
 * given lines of that time.
 */
interface LogPlace extends TimeRange {
  direction: Direction;
  /** Lines of the page's first instant that were already given. */
  skip: number;
}

const FORM = /^([bf])\.(\d{1,20})\.(\d{1,20})\.(\d{1,6})$/;

/** Holds the whole range, so that `since` of the first call does not move with the clock. */
const formatLogCursor = ({ direction, start, end, skip }: LogPlace): string =>
  `${direction === 'backward' ? 'b' : 'f'}.${start}.${end}.${skip}`;

/** Throws SvcError `bad-argument` for a text that is not a cursor of ours. */
function parseLogCursor(cursor: string): LogPlace {
  const [, direction, start = '', end = '', skip = ''] = FORM.exec(cursor) ?? [];
  if (direction === undefined)
    throw new SvcError(
      'bad-argument',
      'cursor does not come from an earlier answer: copy it unchanged, or leave it out.',
    );
  return {
    direction: direction === 'b' ? 'backward' : 'forward',
    start: BigInt(start),
    end: BigInt(end),
    skip: Number(skip),
  };
}

/**
 * The place after a page whose last line has the time `at`, and that holds `lineCount` lines of this
 * time.
 */
function advanceLogPlace(place: LogPlace, at: bigint, lineCount: number): LogPlace {
  const backward = place.direction === 'backward';
  // Loki excludes the end of a range and includes its start, so the last instant is asked for again
  // and its lines are skipped.
  const next = backward ? { ...place, end: at + 1n } : { ...place, start: at };
  const isSame = backward ? next.end === place.end : next.start === place.start;
  return { ...next, skip: isSame ? place.skip + lineCount : lineCount };
}

export const DEFAULT_LINES = 100;
export const MAX_LINES = 1_000;
/** Most characters of one line; the rest is cut. */
export const MAX_LINE_CHARS = 2_000;
/** Most characters of all lines of one answer; more go to the next page. */
export const MAX_PAGE_CHARS = 60_000;
/** Most lines that Loki gives at once by default. */
const SERVER_LINES = 5_000;
const POINTS = 60;
const MAX_SERIES = 50;
const MAX_POINTS = 1_000;

export interface LokiQuery extends TimeWords {
  /** LogQL. */
  query: string;
  /** Default backward: newest first. */
  direction?: Direction | undefined;
  /** Default {@link DEFAULT_LINES}. */
  limit?: number | undefined;
  /** For queries that compute numbers, such as `5m`; default about {@link POINTS} points. */
  step?: string | undefined;
  /** From an earlier answer, with its times and direction: the next page. */
  cursor?: string | undefined;
}

/** `stream` of a line is a key of `streams`. `cursor` null: that was all. */
export interface LogLines {
  kind: 'lines';
  from: string;
  to: string;
  streams: Record<string, Record<string, string>>;
  lines: { at: string; stream: string; line: string }[];
  cursor: string | null;
}

/** Values of a computing query. `leftOut`: the number of further series. */
export interface LogNumbers {
  kind: 'numbers';
  from: string;
  to: string;
  series: { labels: Record<string, string>; points: { at: string; value: string }[] }[];
  leftOut: number;
}

interface RawLine {
  at: bigint;
  stream: number;
  line: string;
}

function readLogLines(result: unknown, direction: Direction): RawLine[] {
  const lines = toListOrEmpty(result).flatMap((stream, index) =>
    readListAt(stream, 'values').flatMap((value): RawLine[] => {
      const [time, line] = toListOrEmpty(value);
      const at = parseNanoseconds(time);
      return at === null ? [] : [{ at, stream: index, line: readTextAt(line) }];
    }),
  );
  const sign = direction === 'backward' ? -1 : 1;
  // Sorting is stable, so lines of one instant keep the order of their stream on every page.
  return lines.sort((a, b) => sign * Number(a.at - b.at));
}

function takeLinePage(lines: readonly RawLine[], limit: number): RawLine[] {
  let chars = 0;
  const rawLines: RawLine[] = [];
  for (const line of lines) {
    const size = Math.min(line.line.length, MAX_LINE_CHARS);
    if (rawLines.length === limit || (rawLines.length > 0 && chars + size > MAX_PAGE_CHARS)) break;
    chars += size;
    rawLines.push(line);
  }
  return rawLines;
}

function toLogLines(
  result: unknown,
  place: LogPlace,
  limit: number,
  requestedLines: number,
): LogLines {
  const all = readLogLines(result, place.direction);
  const first = place.direction === 'backward' ? place.end - 1n : place.start;
  const startIndex = all.findIndex(({ at }, index) => index >= place.skip || at !== first);
  const lines = place.skip === 0 ? all : startIndex < 0 ? [] : all.slice(startIndex);
  const rawLines = takeLinePage(lines, limit);
  const last = rawLines.at(-1);
  const more =
    last !== undefined && (rawLines.length < lines.length || all.length >= requestedLines);
  const streams = toListOrEmpty(result).map((stream) => readLabels(readAtPath(stream, 'stream')));
  const shownStreams = new Set(rawLines.map(({ stream }) => stream));
  return {
    kind: 'lines',
    from: toIsoNanoseconds(place.start),
    to: toIsoNanoseconds(place.end),
    streams: Object.fromEntries(
      [...shownStreams].sort((a, b) => a - b).map((n) => [String(n), streams[n] ?? {}]),
    ),
    lines: rawLines.map(({ at, stream, line }) => ({
      at: toIsoNanoseconds(at),
      stream: String(stream),
      line: clip(line, MAX_LINE_CHARS),
    })),
    cursor: more
      ? formatLogCursor(
          advanceLogPlace(place, last.at, rawLines.filter(({ at }) => at === last.at).length),
        )
      : null,
  };
}

function toLogNumbers(result: unknown, { start, end }: LogPlace): LogNumbers {
  const all = toListOrEmpty(result);
  const shownSeries = all.slice(0, MAX_SERIES);
  const each = Math.max(1, Math.floor(MAX_POINTS / Math.max(1, shownSeries.length)));
  const point = (value: unknown) => {
    const [time, number] = toListOrEmpty(value);
    return {
      at: new Date(Number(time) * 1000 || 0).toISOString(),
      value: clip(readTextAt(number), 40),
    };
  };
  return {
    kind: 'numbers',
    from: toIsoNanoseconds(start),
    to: toIsoNanoseconds(end),
    leftOut: all.length - shownSeries.length,
    series: shownSeries.map((one) => ({
      labels: readLabels(readAtPath(one, 'metric')),
      points: (readAtPath(one, 'value') === undefined
        ? readListAt(one, 'values')
        : [readAtPath(one, 'value')]
      )
        .slice(-each)
        .map(point),
    })),
  };
}

export interface Loki {
  /** Throws as {@link ask} does. */
  query(query: LokiQuery, signal: AbortSignal): Promise<LogLines | LogNumbers>;
  healthcheck(): Promise<{ ok: boolean; detail: string }>;
}

export const createLoki = (server: ObservabilityServer, clock: Clock): Loki => ({
  async query(
    { query, direction = 'backward', limit = DEFAULT_LINES, step, cursor, ...words },
    signal,
  ) {
    const place: LogPlace = cursor
      ? parseLogCursor(cursor)
      : { ...resolveTimeRange(words, clock.now()), direction, skip: 0 };
    const requestedLines = limit + place.skip;
    if (requestedLines > SERVER_LINES)
      throw new SvcError(
        'bad-argument',
        'Too many lines share one timestamp to page through: narrow the query.',
      );
    const seconds = Math.max(1, Math.ceil(Number(place.end - place.start) / 1e9 / POINTS));
    const answer = await askObservability(
      server,
      '/loki/api/v1/query_range',
      {
        query,
        direction: place.direction,
        limit: String(requestedLines),
        start: String(place.start),
        end: String(place.end),
        step: step ?? `${seconds}s`,
      },
      {
        signal,
        missing:
          'Loki was not found at this address: a person must fix plugins.installed.loki.config.baseUrl.',
      },
    );
    const data = readAtPath(answer, 'data');
    const result = readAtPath(data, 'result');
    return readAtPath(data, 'resultType') === 'streams'
      ? toLogLines(result, place, limit, requestedLines)
      : toLogNumbers(result, place);
  },
  async healthcheck() {
    const { start, end } = resolveTimeRange({}, clock.now());
    const labels = await askObservability(
      server,
      '/loki/api/v1/labels',
      { start: String(start), end: String(end) },
      { signal: AbortSignal.timeout(server.timeoutMs), missing: `${server.base} has no Loki.` },
    );
    // Loki leaves `data` out if it has no labels.
    if (readAtPath(labels, 'status') !== 'success') throw createWrongServerError(server);
    const names = readListAt(labels, 'data')
      .map((name) => readTextAt(name))
      .slice(0, 20);
    return {
      ok: true,
      detail:
        names.length === 0
          ? 'answers, without logs of the last hour'
          : `labels: ${names.join(', ')}`,
    };
  },
});

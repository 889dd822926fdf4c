import type { Clock } from '../../base/time/clock.ts';
import { SvcError } from '../../base/errors/errors.ts';
import { readAtPath, toListOrEmpty, readListAt, readTextAt } from '../../base/json/untrusted.ts';
import { parseNanoseconds } from '../observability/labels.ts';
import { clip } from '../../base/text/clip.ts';
import {
  askObservability,
  createWrongServerError,
  type ObservabilityServer,
} from '../observability/server.ts';
import { type Span, listTraceSpans } from './spans.ts';
import {
  toIsoNanoseconds,
  type TimeRange,
  type TimeWords,
  resolveTimeRange,
} from '../observability/timeRange.ts';

/** Most spans of one answer, and the default. */
export const DEFAULT_SPANS = 50;
export const MAX_SPANS = 500;
export const MAX_PAGE_CHARS = 60_000;
/** Most traces of one search, and the default. */
export const DEFAULT_TRACES = 20;
export const MAX_TRACES = 100;
/** Matching spans of a found trace that are asked for; Tempo's own default is 3. */
const SPANS_PER_TRACE = 5;

const padTraceId = (id: string, digits: number): string => id.toLowerCase().padStart(digits, '0');

export interface TraceQuery extends TimeWords {
  traceId: string;
  /** Default {@link DEFAULT_SPANS}. */
  limit?: number | undefined;
  /** From an earlier answer: the next page. */
  cursor?: string | undefined;
}

/** Spans by their start. `cursor` null: there are no more. */
export interface Trace {
  traceId: string;
  spans: Span[];
  total: number;
  cursor: string | null;
}

export interface TraceSearch extends TimeWords {
  /** TraceQL. */
  query: string;
  limit?: number | undefined;
}

export interface FoundTrace {
  traceId: string;
  service: string;
  name: string;
  start: string;
  durationMs: number;
  /** Spans of the trace that match the query. */
  matched: number;
  spans: { id: string; durationMs: number; attributes: Record<string, string> }[];
}

/** `full`: as many as were asked for; only a narrower query can find more. */
export interface FoundTraces {
  from: string;
  to: string;
  traces: FoundTrace[];
  full: boolean;
}

export interface Tempo {
  /** Throws SvcError `not-found` for a trace that does not exist, else as {@link ask} does. */
  trace(query: TraceQuery, signal: AbortSignal): Promise<Trace>;
  search(query: TraceSearch, signal: AbortSignal): Promise<FoundTraces>;
  healthcheck(): Promise<{ ok: boolean; detail: string }>;
}

const toSecondRange = ({ start, end }: TimeRange): { start: string; end: string } => ({
  start: String(start / 1_000_000_000n),
  end: String((end + 999_999_999n) / 1_000_000_000n),
});

const readMatchAttributes = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    toListOrEmpty(value)
      .slice(0, 20)
      .map((one) => [
        clip(readTextAt(one, 'key'), 200),
        clip(
          Object.values(Object(readAtPath(one, 'value')))
            .map(String)
            .join(),
          200,
        ),
      ]),
  );

function toFoundTrace(trace: unknown): FoundTrace {
  const sets = toListOrEmpty(
    readAtPath(trace, 'spanSets') ??
      (readAtPath(trace, 'spanSet') ? [readAtPath(trace, 'spanSet')] : []),
  );
  return {
    traceId: padTraceId(readTextAt(trace, 'traceID'), 32),
    service: clip(readTextAt(trace, 'rootServiceName'), 200),
    name: clip(readTextAt(trace, 'rootTraceName'), 200),
    start: toIsoNanoseconds(parseNanoseconds(readAtPath(trace, 'startTimeUnixNano')) ?? 0n),
    durationMs: Number(readAtPath(trace, 'durationMs') ?? 0),
    matched: sets.reduce<number>((sum, set) => sum + Number(readAtPath(set, 'matched') ?? 0), 0),
    spans: sets
      .flatMap((set) => readListAt(set, 'spans'))
      .slice(0, SPANS_PER_TRACE)
      .map((span) => ({
        id: padTraceId(readTextAt(span, 'spanID'), 16),
        durationMs: Number(parseNanoseconds(readAtPath(span, 'durationNanos')) ?? 0n) / 1e6,
        attributes: readMatchAttributes(readAtPath(span, 'attributes')),
      })),
  };
}

function takeSpanPage(spans: readonly Span[], from: number, limit: number): Span[] {
  let chars = 0;
  const page: Span[] = [];
  for (const span of spans.slice(from, from + limit)) {
    chars += JSON.stringify(span).length;
    if (page.length > 0 && chars > MAX_PAGE_CHARS) break;
    page.push(span);
  }
  return page;
}

function parseSpanCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (/^\d{1,7}$/.test(cursor)) return Number(cursor);
  throw new SvcError(
    'bad-argument',
    'cursor does not come from an earlier answer: copy it unchanged, or leave it out.',
  );
}

export const createTempo = (server: ObservabilityServer, clock: Clock): Tempo => ({
  async trace({ traceId, limit = DEFAULT_SPANS, cursor, ...words }, signal) {
    const from = parseSpanCursor(cursor);
    const isTimed = Object.values(words).some((word) => word !== undefined);
    const missing = `Tempo has no trace ${traceId}${isTimed ? ' in this time range: leave the times out' : '. It may be too new, too old, or not sampled'}.`;
    const range = isTimed ? toSecondRange(resolveTimeRange(words, clock.now())) : {};
    const spans = listTraceSpans(
      await askObservability(server, `/api/traces/${traceId.toLowerCase()}`, range, {
        signal,
        missing,
      }),
    );
    if (spans.length === 0) throw new SvcError('not-found', missing);
    const page = takeSpanPage(spans, from, limit);
    const next = from + page.length;
    return {
      traceId,
      spans: page,
      total: spans.length,
      cursor: next < spans.length && page.length > 0 ? String(next) : null,
    };
  },
  async search({ query, limit = DEFAULT_TRACES, ...words }, signal) {
    const range = resolveTimeRange(words, clock.now());
    const answer = await askObservability(
      server,
      '/api/search',
      { q: query, limit: String(limit), spss: String(SPANS_PER_TRACE), ...toSecondRange(range) },
      {
        signal,
        missing:
          'Tempo was not found at this address: a person must fix plugins.installed.tempo.config.baseUrl.',
      },
    );
    const traces = readListAt(answer, 'traces').slice(0, limit).map(toFoundTrace);
    return {
      from: toIsoNanoseconds(range.start),
      to: toIsoNanoseconds(range.end),
      traces,
      full: traces.length === limit,
    };
  },
  async healthcheck() {
    const range = toSecondRange(resolveTimeRange({}, clock.now()));
    const signal = AbortSignal.timeout(server.timeoutMs);
    const answer = await askObservability(server, '/api/search/tags', range, {
      signal,
      missing: `${server.base} has no Tempo.`,
    });
    if (
      !Array.isArray(readAtPath(answer, 'tagNames')) &&
      readAtPath(answer, 'metrics') === undefined
    )
      throw createWrongServerError(server);
    const names = readListAt(answer, 'tagNames')
      .map((name) => readTextAt(name))
      .slice(0, 20);
    return {
      ok: true,
      detail:
        names.length === 0
          ? 'answers, without traces of the last hour'
          : `tags: ${names.join(', ')}`,
    };
  },
});

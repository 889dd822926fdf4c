import type { Clock } from '../../lib/clock.ts';
import { SvcError } from '../../lib/errors.ts';
import { at, list, listAt, textAt } from '../../lib/untrusted.ts';
import { nanoseconds } from '../observability/labels.ts';
import { clip } from '../../domain/clip.ts';
import { ask, notLikeIt, type Server } from '../observability/server.ts';
import { type Span, spansIn } from './spans.ts';
import { iso, type TimeRange, type TimeWords, timeRange } from '../observability/timeRange.ts';

/** Spans of one answer where the caller does not say, and at most. */
export const DEFAULT_SPANS = 50;
export const MAX_SPANS = 500;
/** Most characters of the spans of one answer, as JSON; what is more is the next page. */
export const MAX_PAGE_CHARS = 60_000;
/** Traces of one search where the caller does not say, and at most. */
export const DEFAULT_TRACES = 20;
export const MAX_TRACES = 100;
/** Matching spans of a found trace that are asked for and shown; Tempo's own default is 3. */
const SPANS_PER_TRACE = 5;

/** An id of a search: hex, of which leading zeros may be left out. */
const paddedId = (id: string, digits: number): string => id.toLowerCase().padStart(digits, '0');

export interface TraceQuery extends TimeWords {
  traceId: string;
  /** Default {@link DEFAULT_SPANS}. */
  limit?: number | undefined;
  /** Of an earlier answer: the next page. */
  cursor?: string | undefined;
}

/** Spans in the order in which they began. `cursor` null: these were the last ones. */
export interface Trace {
  traceId: string;
  spans: Span[];
  /** Spans of the whole trace. */
  total: number;
  cursor: string | null;
}

export interface TraceSearch extends TimeWords {
  /** TraceQL. */
  query: string;
  /** Default {@link DEFAULT_TRACES}. */
  limit?: number | undefined;
}

export interface FoundTrace {
  traceId: string;
  service: string;
  name: string;
  start: string;
  durationMs: number;
  /** Spans of the trace that the query means. */
  matched: number;
  spans: { id: string; durationMs: number; attributes: Record<string, string> }[];
}

/** `full`: as many as were asked for; there may be more, which only a narrower query finds. */
export interface FoundTraces {
  from: string;
  to: string;
  traces: FoundTrace[];
  full: boolean;
}

export interface Tempo {
  /** Throws SvcError `not-found` for a trace that is not there, else as {@link ask} does. */
  trace(query: TraceQuery, signal: AbortSignal): Promise<Trace>;
  search(query: TraceSearch, signal: AbortSignal): Promise<FoundTraces>;
  healthcheck(): Promise<{ ok: boolean; detail: string }>;
}

const seconds = ({ start, end }: TimeRange): { start: string; end: string } => ({
  start: String(start / 1_000_000_000n),
  end: String((end + 999_999_999n) / 1_000_000_000n),
});

const attributesOf = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    list(value)
      .slice(0, 20)
      .map((one) => [
        clip(textAt(one, 'key'), 200),
        clip(
          Object.values(Object(at(one, 'value')))
            .map(String)
            .join(),
          200,
        ),
      ]),
  );

function foundTrace(trace: unknown): FoundTrace {
  const sets = list(at(trace, 'spanSets') ?? (at(trace, 'spanSet') ? [at(trace, 'spanSet')] : []));
  return {
    traceId: paddedId(textAt(trace, 'traceID'), 32),
    service: clip(textAt(trace, 'rootServiceName'), 200),
    name: clip(textAt(trace, 'rootTraceName'), 200),
    start: iso(nanoseconds(at(trace, 'startTimeUnixNano')) ?? 0n),
    durationMs: Number(at(trace, 'durationMs') ?? 0),
    matched: sets.reduce<number>((sum, set) => sum + Number(at(set, 'matched') ?? 0), 0),
    spans: sets
      .flatMap((set) => listAt(set, 'spans'))
      .slice(0, SPANS_PER_TRACE)
      .map((span) => ({
        id: paddedId(textAt(span, 'spanID'), 16),
        durationMs: Number(nanoseconds(at(span, 'durationNanos')) ?? 0n) / 1e6,
        attributes: attributesOf(at(span, 'attributes')),
      })),
  };
}

function page(spans: readonly Span[], from: number, limit: number): Span[] {
  let chars = 0;
  const taken: Span[] = [];
  for (const span of spans.slice(from, from + limit)) {
    chars += JSON.stringify(span).length;
    if (taken.length > 0 && chars > MAX_PAGE_CHARS) break;
    taken.push(span);
  }
  return taken;
}

function firstSpan(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (/^\d{1,7}$/.test(cursor)) return Number(cursor);
  throw new SvcError(
    'bad-argument',
    'cursor does not come from an earlier answer: copy it unchanged, or leave it out.',
  );
}

/** A Tempo, its own or behind Grafana. */
export const createTempo = (server: Server, clock: Clock): Tempo => ({
  async trace({ traceId, limit = DEFAULT_SPANS, cursor, ...words }, signal) {
    const from = firstSpan(cursor);
    const isTimed = Object.values(words).some((word) => word !== undefined);
    const missing = `Tempo has no trace ${traceId}${isTimed ? ' in this time range: leave the times out' : '. It may be too new, too old, or not sampled'}.`;
    const range = isTimed ? seconds(timeRange(words, clock.now())) : {};
    const spans = spansIn(
      await ask(server, `/api/traces/${traceId.toLowerCase()}`, range, { signal, missing }),
    );
    if (spans.length === 0) throw new SvcError('not-found', missing);
    const taken = page(spans, from, limit);
    const next = from + taken.length;
    return {
      traceId,
      spans: taken,
      total: spans.length,
      cursor: next < spans.length && taken.length > 0 ? String(next) : null,
    };
  },
  async search({ query, limit = DEFAULT_TRACES, ...words }, signal) {
    const range = timeRange(words, clock.now());
    const answer = await ask(
      server,
      '/api/search',
      { q: query, limit: String(limit), spss: String(SPANS_PER_TRACE), ...seconds(range) },
      {
        signal,
        missing:
          'Tempo was not found at this address: a person must fix plugins.installed.tempo.config.baseUrl.',
      },
    );
    const traces = listAt(answer, 'traces').slice(0, limit).map(foundTrace);
    return { from: iso(range.start), to: iso(range.end), traces, full: traces.length === limit };
  },
  async healthcheck() {
    const range = seconds(timeRange({}, clock.now()));
    const signal = AbortSignal.timeout(server.timeoutMs);
    const answer = await ask(server, '/api/search/tags', range, {
      signal,
      missing: `${server.base} has no Tempo.`,
    });
    if (!Array.isArray(at(answer, 'tagNames')) && at(answer, 'metrics') === undefined)
      throw notLikeIt(server);
    const names = listAt(answer, 'tagNames')
      .map((name) => textAt(name))
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

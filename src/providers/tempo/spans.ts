import { readAtPath, toListOrEmpty, readListAt, readTextAt } from '../../base/json/untrusted.ts';
import { parseNanoseconds } from '../observability/labels.ts';
import { clip } from '../../base/text/clip.ts';
import { toIsoNanoseconds } from '../observability/timeRange.ts';

const MAX_VALUE_CHARS = 500;
const MAX_ATTRIBUTES = 60;

export interface Span {
  id: string;
  /** Id of the parent span; null for one without a parent in this trace. */
  parent: string | null;
  service: string;
  name: string;
  kind: string;
  start: string;
  durationMs: number;
  status: string;
  attributes: Record<string, string>;
  events: { at: string; name: string; attributes: Record<string, string> }[];
}

const formatOtelValue = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return '';
  const [[kind, inner] = []] = Object.entries(value);
  if (kind === 'arrayValue')
    return `[${readListAt(inner, 'values').map(formatOtelValue).join(', ')}]`;
  return typeof inner === 'object' ? JSON.stringify(inner) : String(inner);
};

const readSpanAttributes = (value: unknown, most = MAX_ATTRIBUTES): Record<string, string> =>
  Object.fromEntries(
    toListOrEmpty(value)
      .slice(0, most)
      .map((one) => [
        clip(readTextAt(one, 'key'), 200),
        clip(formatOtelValue(readAtPath(one, 'value')), MAX_VALUE_CHARS),
      ]),
  );

/** Tempo writes ids as base64, as protobuf's JSON does; its search and other servers write hex. */
const toHexId = (id: string): string =>
  /^([0-9a-f]{16}|[0-9a-f]{32})$/i.test(id)
    ? id.toLowerCase()
    : Buffer.from(id, 'base64').toString('hex');

const readEnumWord = (value: unknown, prefix: string): string =>
  readTextAt(value).replace(prefix, '').toLowerCase();

function describeSpanStatus(status: unknown): string {
  const code = readEnumWord(readAtPath(status, 'code'), 'STATUS_CODE_');
  const message = clip(readTextAt(status, 'message'), MAX_VALUE_CHARS);
  if (code !== 'error' && code !== '2') return code === 'ok' || code === '1' ? 'ok' : 'unset';
  return message === '' ? 'error' : `error: ${message}`;
}

interface TimedSpan {
  from: bigint;
  span: Span;
}

function toTimedSpan(span: unknown, service: string): TimedSpan {
  const from = parseNanoseconds(readAtPath(span, 'startTimeUnixNano')) ?? 0n;
  const to = parseNanoseconds(readAtPath(span, 'endTimeUnixNano')) ?? from;
  const parent = readTextAt(span, 'parentSpanId');
  return {
    from,
    span: {
      id: toHexId(readTextAt(span, 'spanId')),
      parent: parent === '' ? null : toHexId(parent),
      service,
      name: clip(readTextAt(span, 'name'), MAX_VALUE_CHARS),
      kind: readEnumWord(readAtPath(span, 'kind'), 'SPAN_KIND_'),
      start: toIsoNanoseconds(from),
      durationMs: Number(to - from) / 1e6,
      status: describeSpanStatus(readAtPath(span, 'status')),
      attributes: readSpanAttributes(readAtPath(span, 'attributes')),
      events: readListAt(span, 'events')
        .slice(0, 20)
        .map((event) => ({
          at: toIsoNanoseconds(parseNanoseconds(readAtPath(event, 'timeUnixNano')) ?? from),
          name: clip(readTextAt(event, 'name'), MAX_VALUE_CHARS),
          attributes: readSpanAttributes(readAtPath(event, 'attributes'), 20),
        })),
    },
  };
}

/** All spans of a trace by their start. Older servers use other member names. */
export function listTraceSpans(answer: unknown): Span[] {
  const trace = readAtPath(answer, 'trace') ?? answer;
  const batches = [...readListAt(trace, 'batches'), ...readListAt(trace, 'resourceSpans')];
  const all = batches.flatMap((batch) => {
    const service =
      readSpanAttributes(readAtPath(batch, 'resource', 'attributes'), 200)['service.name'] ?? '';
    const scopes = [
      ...readListAt(batch, 'scopeSpans'),
      ...readListAt(batch, 'instrumentationLibrarySpans'),
    ];
    return scopes.flatMap((scope) =>
      readListAt(scope, 'spans').map((span) => toTimedSpan(span, service)),
    );
  });
  return all.sort((a, b) => Number(a.from - b.from)).map(({ span }) => span);
}

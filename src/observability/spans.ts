import { list, member, nanoseconds, textOf } from './parts.ts';
import { clip } from '../domain/clip.ts';
import { iso } from './timeRange.ts';

/** Most characters of one attribute's value. */
const MAX_VALUE_CHARS = 500;
/** Most attributes of one span, events' included. */
const MAX_ATTRIBUTES = 60;

export interface Span {
  id: string;
  /** Id of the span that it is part of; null for one that is part of none of this trace. */
  parent: string | null;
  service: string;
  name: string;
  kind: string;
  start: string;
  durationMs: number;
  /** `ok`, `error` with what was said, or unset. */
  status: string;
  attributes: Record<string, string>;
  events: { at: string; name: string; attributes: Record<string, string> }[];
}

/** A value of OpenTelemetry as text. */
const valueText = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return '';
  const [[kind, inner] = []] = Object.entries(value);
  if (kind === 'arrayValue') return `[${list(member(inner, 'values')).map(valueText).join(', ')}]`;
  return typeof inner === 'object' ? JSON.stringify(inner) : String(inner);
};

const attributesOf = (value: unknown, most = MAX_ATTRIBUTES): Record<string, string> =>
  Object.fromEntries(
    list(value)
      .slice(0, most)
      .map((one) => [clip(textOf(member(one, 'key')), 200), clip(valueText(member(one, 'value')), MAX_VALUE_CHARS)]),
  );

/** Tempo writes ids as base64, as protobuf's JSON does; others, and its search, as hex. */
export const hexId = (id: string): string =>
  /^([0-9a-f]{16}|[0-9a-f]{32})$/i.test(id) ? id.toLowerCase() : Buffer.from(id, 'base64').toString('hex');

const word = (value: unknown, prefix: string): string => textOf(value).replace(prefix, '').toLowerCase();

function statusOf(status: unknown): string {
  const code = word(member(status, 'code'), 'STATUS_CODE_');
  const message = clip(textOf(member(status, 'message')), MAX_VALUE_CHARS);
  if (code !== 'error' && code !== '2') return code === 'ok' || code === '1' ? 'ok' : 'unset';
  return message === '' ? 'error' : `error: ${message}`;
}

interface Timed {
  from: bigint;
  span: Span;
}

function timed(span: unknown, service: string): Timed {
  const from = nanoseconds(member(span, 'startTimeUnixNano')) ?? 0n;
  const to = nanoseconds(member(span, 'endTimeUnixNano')) ?? from;
  const parent = textOf(member(span, 'parentSpanId'));
  return {
    from,
    span: {
      id: hexId(textOf(member(span, 'spanId'))),
      parent: parent === '' ? null : hexId(parent),
      service,
      name: clip(textOf(member(span, 'name')), MAX_VALUE_CHARS),
      kind: word(member(span, 'kind'), 'SPAN_KIND_'),
      start: iso(from),
      durationMs: Number(to - from) / 1e6,
      status: statusOf(member(span, 'status')),
      attributes: attributesOf(member(span, 'attributes')),
      events: list(member(span, 'events'))
        .slice(0, 20)
        .map((event) => ({
          at: iso(nanoseconds(member(event, 'timeUnixNano')) ?? from),
          name: clip(textOf(member(event, 'name')), MAX_VALUE_CHARS),
          attributes: attributesOf(member(event, 'attributes'), 20),
        })),
    },
  };
}

/** All spans of a trace as Tempo answers it, in the order in which they began. Older servers use other names for the same. */
export function spansIn(answer: unknown): Span[] {
  const trace = member(answer, 'trace') ?? answer;
  const batches = [...list(member(trace, 'batches')), ...list(member(trace, 'resourceSpans'))];
  const all = batches.flatMap((batch) => {
    const service = attributesOf(member(member(batch, 'resource'), 'attributes'), 200)['service.name'] ?? '';
    const scopes = [...list(member(batch, 'scopeSpans')), ...list(member(batch, 'instrumentationLibrarySpans'))];
    return scopes.flatMap((scope) => list(member(scope, 'spans')).map((span) => timed(span, service)));
  });
  return all.sort((a, b) => Number(a.from - b.from)).map(({ span }) => span);
}

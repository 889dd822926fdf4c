import { at, list, listAt, textAt } from '../../lib/untrusted.ts';
import { nanoseconds } from '../observability/labels.ts';
import { clip } from '../../domain/clip.ts';
import { iso } from '../observability/timeRange.ts';

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
  /** `ok`, `error` with its message, or unset. */
  status: string;
  attributes: Record<string, string>;
  events: { at: string; name: string; attributes: Record<string, string> }[];
}

/** A value of OpenTelemetry as text. */
const valueText = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return '';
  const [[kind, inner] = []] = Object.entries(value);
  if (kind === 'arrayValue') return `[${listAt(inner, 'values').map(valueText).join(', ')}]`;
  return typeof inner === 'object' ? JSON.stringify(inner) : String(inner);
};

const attributesOf = (value: unknown, most = MAX_ATTRIBUTES): Record<string, string> =>
  Object.fromEntries(
    list(value)
      .slice(0, most)
      .map((one) => [
        clip(textAt(one, 'key'), 200),
        clip(valueText(at(one, 'value')), MAX_VALUE_CHARS),
      ]),
  );

/** Tempo writes ids as base64, as protobuf's JSON does; others, and its search, as hex. */
const hexId = (id: string): string =>
  /^([0-9a-f]{16}|[0-9a-f]{32})$/i.test(id)
    ? id.toLowerCase()
    : Buffer.from(id, 'base64').toString('hex');

const word = (value: unknown, prefix: string): string =>
  textAt(value).replace(prefix, '').toLowerCase();

function statusOf(status: unknown): string {
  const code = word(at(status, 'code'), 'STATUS_CODE_');
  const message = clip(textAt(status, 'message'), MAX_VALUE_CHARS);
  if (code !== 'error' && code !== '2') return code === 'ok' || code === '1' ? 'ok' : 'unset';
  return message === '' ? 'error' : `error: ${message}`;
}

interface Timed {
  from: bigint;
  span: Span;
}

function timed(span: unknown, service: string): Timed {
  const from = nanoseconds(at(span, 'startTimeUnixNano')) ?? 0n;
  const to = nanoseconds(at(span, 'endTimeUnixNano')) ?? from;
  const parent = textAt(span, 'parentSpanId');
  return {
    from,
    span: {
      id: hexId(textAt(span, 'spanId')),
      parent: parent === '' ? null : hexId(parent),
      service,
      name: clip(textAt(span, 'name'), MAX_VALUE_CHARS),
      kind: word(at(span, 'kind'), 'SPAN_KIND_'),
      start: iso(from),
      durationMs: Number(to - from) / 1e6,
      status: statusOf(at(span, 'status')),
      attributes: attributesOf(at(span, 'attributes')),
      events: listAt(span, 'events')
        .slice(0, 20)
        .map((event) => ({
          at: iso(nanoseconds(at(event, 'timeUnixNano')) ?? from),
          name: clip(textAt(event, 'name'), MAX_VALUE_CHARS),
          attributes: attributesOf(at(event, 'attributes'), 20),
        })),
    },
  };
}

/**
 * All spans of a trace as Tempo answers it, in the order in which they began. Older servers use
 * other names for the same.
 */
export function spansIn(answer: unknown): Span[] {
  const trace = at(answer, 'trace') ?? answer;
  const batches = [...listAt(trace, 'batches'), ...listAt(trace, 'resourceSpans')];
  const all = batches.flatMap((batch) => {
    const service = attributesOf(at(batch, 'resource', 'attributes'), 200)['service.name'] ?? '';
    const scopes = [
      ...listAt(batch, 'scopeSpans'),
      ...listAt(batch, 'instrumentationLibrarySpans'),
    ];
    return scopes.flatMap((scope) => listAt(scope, 'spans').map((span) => timed(span, service)));
  });
  return all.sort((a, b) => Number(a.from - b.from)).map(({ span }) => span);
}

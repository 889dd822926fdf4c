import type { Reply, SeenRequest } from './server.ts';

export interface FakeSpan {
  /** Hexadecimal. */
  id: string;
  parent?: string;
  service: string;
  name: string;
  /** Nanoseconds. */
  start: bigint;
  end: bigint;
  error?: string;
  attributes?: Record<string, string | number | boolean>;
}

const plain = (status: number, body: string): Reply => ({
  status,
  type: 'text/plain; charset=utf-8',
  body,
});
const json = (value: unknown): Reply => ({
  status: 200,
  type: 'application/json',
  body: JSON.stringify(value),
});

/** Tempo's JSON of protobuf: ids in base64, numbers of 64 bits as texts. */
const base64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64');

const attribute = ([key, value]: [string, string | number | boolean]) => ({
  key,
  value:
    typeof value === 'string'
      ? { stringValue: value }
      : typeof value === 'number'
        ? { intValue: String(value) }
        : { boolValue: value },
});

const spanJson = (
  traceId: string,
  { id, parent, name, start, end, error, attributes = {} }: FakeSpan,
) => ({
  traceId: base64(traceId),
  spanId: base64(id),
  ...(parent ? { parentSpanId: base64(parent) } : {}),
  name,
  kind: 'SPAN_KIND_SERVER',
  startTimeUnixNano: String(start),
  endTimeUnixNano: String(end),
  attributes: Object.entries(attributes).map(attribute),
  status: error === undefined ? {} : { code: 'STATUS_CODE_ERROR', message: error },
});

/**
 * Tempo's own answers to the paths that svc uses. Of TraceQL it knows `{ … }` and `status = error`.
 */
export function answerTempo(
  traces: ReadonlyMap<string, readonly FakeSpan[]>,
  { path, query }: SeenRequest,
): Reply {
  if (path === '/api/search/tags')
    return json({ tagNames: ['http.status_code', 'service.name'], metrics: {} });
  const id = /^\/api\/traces\/([0-9a-f]+)$/.exec(path)?.[1];
  if (id !== undefined) {
    const spans = traces.get(id.padStart(32, '0'));
    if (!spans) return plain(404, 'trace not found');
    const services = [...new Set(spans.map(({ service }) => service))];
    const batches = services.map((service) => ({
      resource: { attributes: [attribute(['service.name', service])] },
      scopeSpans: [
        {
          scope: { name: 'test' },
          spans: spans.filter((span) => span.service === service).map((span) => spanJson(id, span)),
        },
      ],
    }));
    return json({ batches });
  }
  if (path !== '/api/search') return plain(404, '404 page not found\n');
  if (!/^\{.*\}$/s.test(query.q ?? ''))
    return plain(
      400,
      'invalid TraceQL query: parse error at line 1, col 1: syntax error: unexpected IDENTIFIER',
    );
  const onlyErrors = /status\s*=\s*error/.test(query.q ?? '');
  const matches = [...traces].flatMap(([traceId, spans]) => {
    const [root] = spans;
    const matching = spans.filter(({ error }) => !onlyErrors || error !== undefined);
    const inRange =
      root &&
      root.start / 1_000_000_000n >= BigInt(query.start ?? '0') &&
      root.start / 1_000_000_000n <= BigInt(query.end ?? '0');
    if (!root || !inRange || matching.length === 0) return [];
    const shownSpans = matching.slice(0, Number(query.spss ?? 3)).map((span) => ({
      // Leading zeros are left out of both ids.
      spanID: span.id.replace(/^0+/, ''),
      startTimeUnixNano: String(span.start),
      durationNanos: String(span.end - span.start),
      attributes: span.error === undefined ? [] : [attribute(['status', 'error'])],
    }));
    return [
      {
        traceID: traceId.replace(/^0+/, ''),
        rootServiceName: root.service,
        rootTraceName: root.name,
        startTimeUnixNano: String(root.start),
        durationMs: Number((root.end - root.start) / 1_000_000n),
        spanSets: [{ spans: shownSpans, matched: matching.length }],
      },
    ];
  });
  return json({ traces: matches.slice(0, Number(query.limit ?? 20)), metrics: { totalBlocks: 1 } });
}

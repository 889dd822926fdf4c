import { createSpanId, createTraceId } from '../../base/system/ids/traceIds.ts';
import { ROOT_KEY, type Attributes, type AttributeValue, type TraceSpan } from './traceSpan.ts';

/** Spans of one job, still by their keys. */
export interface JobSpans {
  jobId: string;
  spans: readonly TraceSpan[];
}

interface TraceResource {
  homeId: string;
  serviceName: string;
  version: string;
}

/** Numbers of `SpanKind` and `StatusCode` in the protocol. */
const KINDS = { internal: 1, client: 3 } as const;
const STATUS_ERROR = 2;
/** Bit of `flags`: whether the parent is of another process is known, and it is not. */
const FLAGS_LOCAL_PARENT = 0x100;
const SAMPLED = 0x01;

const toNanoseconds = (ms: number): string => `${BigInt(Math.trunc(ms)) * 1_000_000n}`;

function encodeValue(value: AttributeValue): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'object') return { doubleValue: value.double };
  // Whole numbers have 64 bits, which JSON of protobuf writes as text.
  return { intValue: String(value) };
}

const encodeAttributes = (attributes: Attributes) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: encodeValue(value) }));

function encodeSpan(homeId: string, jobId: string, span: TraceSpan): object {
  const traceId = createTraceId(homeId, jobId);
  const { key, parent, name, kind, from, to, attributes, error, events, linkedJob } = span;
  const linkedTrace = linkedJob === null ? null : createTraceId(homeId, linkedJob);
  return {
    traceId,
    spanId: createSpanId(traceId, key),
    ...(parent === null ? {} : { parentSpanId: createSpanId(traceId, parent) }),
    flags: FLAGS_LOCAL_PARENT | SAMPLED,
    name,
    kind: KINDS[kind],
    startTimeUnixNano: toNanoseconds(from),
    endTimeUnixNano: toNanoseconds(Math.max(from, to)),
    attributes: encodeAttributes(
      error === null ? attributes : { ...attributes, 'error.type': error },
    ),
    events: events.map((event) => ({ name: event.name, timeUnixNano: toNanoseconds(event.at) })),
    links:
      linkedTrace === null
        ? []
        : [{ traceId: linkedTrace, spanId: createSpanId(linkedTrace, ROOT_KEY) }],
    status: error === null ? {} : { code: STATUS_ERROR, message: error },
  };
}

/** The JSON of an `ExportTraceServiceRequest`, as OTLP 1.x writes it. */
export const encodeSpans = (
  { homeId, serviceName, version }: TraceResource,
  jobs: readonly JobSpans[],
): string =>
  JSON.stringify({
    resourceSpans: [
      {
        resource: {
          attributes: encodeAttributes({
            'service.name': serviceName,
            'service.version': version,
            'service.instance.id': homeId,
          }),
        },
        scopeSpans: [
          {
            scope: { name: 'svc', version },
            spans: jobs.flatMap(({ jobId, spans }) =>
              spans.map((span) => encodeSpan(homeId, jobId, span)),
            ),
          },
        ],
      },
    ],
  });

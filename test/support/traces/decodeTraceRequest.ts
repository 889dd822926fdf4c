import { createRequire } from 'node:module';
import * as assert from 'uvu/assert';

/** The part of a protobuf message that is used here. */
interface MessageType {
  fromObject(value: object): object;
  verify(message: object): string | null;
  encode(message: object): { finish(): Uint8Array };
  decode(bytes: Uint8Array): object;
  toObject(message: object, options: object): object;
}

/** The definitions of OTLP as OpenTelemetry publishes them, generated from its .proto files. */
const { opentelemetry } = createRequire(import.meta.url)(
  '@opentelemetry/otlp-transformer/build/src/generated/root.js',
);
const REQUEST: MessageType = opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;

interface KeyValue {
  key: string;
  value: Record<string, unknown>;
}

/** A span as it is on the wire: ids in hexadecimal digits, 64-bit numbers as text. */
interface WireSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes?: KeyValue[];
  events?: { name: string; timeUnixNano: string }[];
  links?: { traceId: string; spanId: string }[];
  status?: { code?: number; message?: string };
}

export interface DecodedSpan extends Omit<WireSpan, 'attributes'> {
  attributes: Record<string, unknown>;
  /** Those of its resource. */
  resource: Record<string, unknown>;
}

const ID = /^[0-9a-f]+$/;
const IDS: ReadonlySet<string> = new Set(['traceId', 'spanId', 'parentSpanId']);

/** Changes ids, which OTLP writes in hexadecimal digits, and only them. */
function mapIds(value: unknown, change: (id: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => mapIds(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      IDS.has(key) ? change(inner) : mapIds(inner, change),
    ]),
  );
}

/** Without empty lists and objects, which protobuf does not write. */
function dropEmptyMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dropEmptyMembers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, inner]) => [key, dropEmptyMembers(inner)] as const)
      .filter(([, inner]) => typeof inner !== 'object' || Object.keys(Object(inner)).length > 0),
  );
}

const flatten = (attributes: KeyValue[] = []): Record<string, unknown> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => {
      const [[type, inner] = []] = Object.entries(value);
      return [key, type === 'intValue' ? Number(inner) : inner];
    }),
  );

/**
 * The spans of an `ExportTraceServiceRequest` in the JSON of OTLP. It is encoded by the published
 * definitions and decoded again, and must then be the same: what these do not know would be missing.
 */
export function decodeTraceRequest(json: string): DecodedSpan[] {
  const request: unknown = JSON.parse(json);
  const toBytes = (id: unknown) => {
    assert.type(id, 'string');
    assert.match(String(id), ID);
    return Buffer.from(String(id), 'hex');
  };
  const message = REQUEST.fromObject(Object(mapIds(request, toBytes)));
  assert.is(REQUEST.verify(message), null);
  const bytes = REQUEST.encode(message).finish();
  const decoded = mapIds(
    REQUEST.toObject(REQUEST.decode(bytes), { longs: String, json: false }),
    (id) => Buffer.from(Object(id)).toString('hex'),
  );
  assert.equal(dropEmptyMembers(decoded), dropEmptyMembers(request));
  const { resourceSpans = [] } = decoded as {
    resourceSpans?: {
      resource: { attributes?: KeyValue[] };
      scopeSpans: { spans?: WireSpan[] }[];
    }[];
  };
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans = [] }) =>
      spans.map((span) => ({
        ...span,
        attributes: flatten(span.attributes),
        resource: flatten(resource.attributes),
      })),
    ),
  );
}

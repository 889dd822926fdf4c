import { toFields, toListOrEmpty, toStringOrEmpty } from '../../../base/json/untrusted.ts';
import { parseQuotaDurationMs, toEpochMs } from './times.ts';

export interface BodySigns {
  /** Codes and types, in lower case. */
  codes: readonly string[];
  /** Ids of the limits that were reached, Google only. */
  limits: readonly string[];
  /** Texts for people, joined. */
  words: string;
  /** Resets and waits in members of their own, epoch ms. */
  resets: readonly number[];
}

const CODES = ['type', 'code', 'error_code', 'status', 'reason'];
const TIMES = ['resetsAt', 'resets_at', 'resetAt', 'reset_at'];
const WAITS_S = ['retryAfter', 'retry_after', 'retryAfterSeconds', 'resets_in_seconds'];
/** Deepest level of objects that is read. */
const DEEPEST = 6;

const parseJsonPart = (value: string): unknown => {
  try {
    return JSON.parse(value.slice(value.search(/[[{]/)));
  } catch {
    return null;
  }
};

/** Objects within a value, also those in JSON texts: agents pass on what they received. */
function collectNestedObjects(value: unknown, depth: number): Readonly<Record<string, unknown>>[] {
  if (depth > DEEPEST) return [];
  if (typeof value === 'string')
    return /[[{]/.test(value) ? collectNestedObjects(parseJsonPart(value), depth + 1) : [];
  if (Array.isArray(value)) return value.flatMap((one) => collectNestedObjects(one, depth + 1));
  const layer = toFields(value);
  return Object.keys(layer).length === 0
    ? []
    : [layer, ...Object.values(layer).flatMap((one) => collectNestedObjects(one, depth + 1))];
}

/** Reads a body, or an agent's error, which often holds one. */
export function readBodySigns(body: unknown, now: number): BodySigns {
  const layers = collectNestedObjects(body, 0);
  const codes = layers.flatMap((layer) =>
    CODES.map((name) => layer[name]).filter(
      (code) => typeof code === 'string' || typeof code === 'number',
    ),
  );
  const resets = layers.flatMap((layer) => [
    ...TIMES.map((name) => toEpochMs(layer[name])),
    ...WAITS_S.map((name) => Number(layer[name] ?? Number.NaN)).map((s) =>
      s > 0 ? now + s * 1_000 : null,
    ),
    readRetryTime(layer, now),
  ]);
  return {
    codes: codes.map((code) => String(code).toLowerCase()),
    limits: layers
      .flatMap((layer) =>
        [
          ...toListOrEmpty(layer.violations).map((one) => toFields(one).quotaId),
          layer.quota_limit,
        ].map(toStringOrEmpty),
      )
      .filter((id) => id !== ''),
    words: [
      typeof body === 'string' ? body : '',
      ...layers.flatMap(({ message, details }) => [
        toStringOrEmpty(message),
        toStringOrEmpty(details),
      ]),
    ].join(' '),
    resets: resets.filter((at) => at !== null),
  };
}

/** `{ "@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "36s" }`. */
function readRetryTime(
  { retryDelay }: Readonly<Record<string, unknown>>,
  now: number,
): number | null {
  const waitMs = typeof retryDelay === 'string' ? parseQuotaDurationMs(retryDelay) : null;
  return waitMs === null ? null : now + waitMs;
}

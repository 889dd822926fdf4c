import { fields, list, text } from '../../../lib/untrusted.ts';
import { durationMs, epochMs } from './times.ts';

/** What the body of a refusal says. */
export interface BodySigns {
  /** Codes and types, in lower case. */
  codes: readonly string[];
  /** Ids of the limits that were met, as Google names them. */
  limits: readonly string[];
  /** Texts for people, joined. */
  words: string;
  /** Times of a reset and waits that are members of their own, as epoch ms. */
  resets: readonly number[];
}

const CODES = ['type', 'code', 'error_code', 'status', 'reason'];
const TIMES = ['resetsAt', 'resets_at', 'resetAt', 'reset_at'];
const WAITS_S = ['retryAfter', 'retry_after', 'retryAfterSeconds', 'resets_in_seconds'];
/** Most levels of objects that are read. */
const DEEPEST = 6;

const parsed = (value: string): unknown => {
  try {
    return JSON.parse(value.slice(value.search(/[[{]/)));
  } catch {
    return null;
  }
};

/** Objects within a value, those in JSON as text included: agents pass on what they were sent. */
function layersOf(value: unknown, depth: number): Readonly<Record<string, unknown>>[] {
  if (depth > DEEPEST) return [];
  if (typeof value === 'string')
    return /[[{]/.test(value) ? layersOf(parsed(value), depth + 1) : [];
  if (Array.isArray(value)) return value.flatMap((one) => layersOf(one, depth + 1));
  const layer = fields(value);
  return Object.keys(layer).length === 0
    ? []
    : [layer, ...Object.values(layer).flatMap((one) => layersOf(one, depth + 1))];
}

/** Reads a body, or the error of an agent, which often holds one. */
export function bodySigns(body: unknown, now: number): BodySigns {
  const layers = layersOf(body, 0);
  const codes = layers.flatMap((layer) =>
    CODES.map((name) => layer[name]).filter(
      (code) => typeof code === 'string' || typeof code === 'number',
    ),
  );
  const resets = layers.flatMap((layer) => [
    ...TIMES.map((name) => epochMs(layer[name])),
    ...WAITS_S.map((name) => Number(layer[name] ?? Number.NaN)).map((s) =>
      s > 0 ? now + s * 1_000 : null,
    ),
    delayOf(layer, now),
  ]);
  return {
    codes: codes.map((code) => String(code).toLowerCase()),
    limits: layers
      .flatMap((layer) =>
        [...list(layer.violations).map((one) => fields(one).quotaId), layer.quota_limit].map(text),
      )
      .filter((id) => id !== ''),
    words: [
      typeof body === 'string' ? body : '',
      ...layers.flatMap(({ message, details }) => [text(message), text(details)]),
    ].join(' '),
    resets: resets.filter((at) => at !== null),
  };
}

/** `{ "@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "36s" }`. */
function delayOf({ retryDelay }: Readonly<Record<string, unknown>>, now: number): number | null {
  const waitMs = typeof retryDelay === 'string' ? durationMs(retryDelay) : null;
  return waitMs === null ? null : now + waitMs;
}

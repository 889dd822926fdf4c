import type { QuotaHit } from '../../../domain/quotaKinds.ts';
import { bodySigns } from './bodySigns.ts';
import { type AnswerHeaders, windowsIn } from './headerWindows.ts';
import { hitOf, kindOf, windowNamed } from './signs.ts';
import { latest, retryAfterMs } from './times.ts';
import { nextAt } from './wallTime.ts';
import { timeInWords, type WordPlace } from './wordTimes.ts';

/** Statuses that may tell a limit; all others are something else, whatever their body says. */
const STATUSES: ReadonlySet<number> = new Set([400, 402, 403, 429, 503, 529]);
/** Those that are a limit without any further sign. */
export const LIMIT_STATUSES: ReadonlySet<number> = new Set([402, 429, 529]);

/** Google counts its days in this zone: https://ai.google.dev/gemini-api/docs/rate-limits. */
const GOOGLE_ZONE = 'America/Los_Angeles';

/** An answer of a model's endpoint that is no good one. */
export interface RefusedAnswer {
  /** HTTP status. */
  status: number;
  headers: AnswerHeaders;
  /** As text or as JSON. */
  body: unknown;
}

/**
 * The limit that a refused request has met; null where something else is wrong. The latest reset of
 * several counts, and a measured wait counts as it is.
 */
export function answerQuota(
  { status, headers, body }: RefusedAnswer,
  place: WordPlace,
): QuotaHit | null {
  if (!STATUSES.has(status)) return null;
  const { now } = place;
  const { codes, limits, words, resets } = bodySigns(body, now);
  const kind = kindOf([...codes, String(status)], `${words} ${limits.join(' ')}`);
  const isSure = LIMIT_STATUSES.has(status) || headers['retry-after'] !== undefined;
  // A refusal for a mistake may mention limits, but money it names is missing all the same.
  if (kind === null || (!isSure && kind !== 'billing' && kind !== 'overloaded')) return null;
  const refusing = windowsIn(headers, now).filter(({ refuses }) => refuses);
  const waitMs = retryAfterMs(headers['retry-after'], now);
  const resetsAt = latest([
    ...refusing.map((window) => window.resetsAt),
    ...resets,
    waitMs === null ? null : now + waitMs,
    timeInWords(words, place),
  ]);
  const last = refusing.sort((a, b) => (b.resetsAt ?? 0) - (a.resetsAt ?? 0))[0];
  const window = last?.window ?? windowNamed(`${words} ${limits.join(' ')}`);
  const isDay = limits.some((id) => /PerDay/i.test(id));
  const dayEnds = isDay ? nextAt({ hour: 0, minute: 0 }, GOOGLE_ZONE, now) : null;
  return hitOf(kind, window, resetsAt ?? dayEnds, now);
}

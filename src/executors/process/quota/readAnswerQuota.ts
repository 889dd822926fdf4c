import type { QuotaHit } from '../../../base/agents/quotaKinds.ts';
import { readBodySigns } from './readBodySigns.ts';
import { type AnswerHeaders, readHeaderWindows } from './readHeaderWindows.ts';
import { toQuotaHit, classifyQuota, findNamedWindow } from './classifyQuota.ts';
import { pickLatestTime, parseRetryAfterMs } from './times.ts';
import { computeNextWallTime } from './computeNextWallTime.ts';
import { findLatestTimeInWords, type WordPlace } from './findLatestTimeInWords.ts';

/** Statuses that may report a limit; others never do, whatever their body says. */
const STATUSES: ReadonlySet<number> = new Set([400, 402, 403, 429, 503, 529]);
/** Statuses that are a limit without any further sign. */
export const LIMIT_STATUSES: ReadonlySet<number> = new Set([402, 429, 529]);

/** Google counts its days in this zone: https://ai.google.dev/gemini-api/docs/rate-limits. */
const GOOGLE_ZONE = 'America/Los_Angeles';

export interface RefusedAnswer {
  status: number;
  headers: AnswerHeaders;
  /** Text or JSON. */
  body: unknown;
}

/**
 * The limit that a refused request has reached; null where something else is wrong. The latest of
 * several resets counts; a measured wait is taken as it is.
 */
export function readAnswerQuota(
  { status, headers, body }: RefusedAnswer,
  place: WordPlace,
): QuotaHit | null {
  if (!STATUSES.has(status)) return null;
  const { now } = place;
  const { codes, limits, words, resets } = readBodySigns(body, now);
  const kind = classifyQuota([...codes, String(status)], `${words} ${limits.join(' ')}`);
  const isSure = LIMIT_STATUSES.has(status) || headers['retry-after'] !== undefined;
  // A refusal for a mistake may mention limits, but money that it names is missing all the same.
  if (kind === null || (!isSure && kind !== 'billing' && kind !== 'overloaded')) return null;
  const refusing = readHeaderWindows(headers, now).filter(({ refuses }) => refuses);
  const waitMs = parseRetryAfterMs(headers['retry-after'], now);
  const resetsAt = pickLatestTime([
    ...refusing.map((window) => window.resetsAt),
    ...resets,
    waitMs === null ? null : now + waitMs,
    findLatestTimeInWords(words, place),
  ]);
  const last = refusing.sort((a, b) => (b.resetsAt ?? 0) - (a.resetsAt ?? 0))[0];
  const window = last?.window ?? findNamedWindow(`${words} ${limits.join(' ')}`);
  const isDay = limits.some((id) => /PerDay/i.test(id));
  const dayEnds = isDay ? computeNextWallTime({ hour: 0, minute: 0 }, GOOGLE_ZONE, now) : null;
  return toQuotaHit(kind, window, resetsAt ?? dayEnds, now);
}

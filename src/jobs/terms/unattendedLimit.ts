import { SvcError } from '../../base/errors/errors.ts';
import { parseShortDuration } from '../../base/time/parseShortDuration.ts';

/** Longest time that a job may work unattended, days. */
const MAX_UNATTENDED_DAYS = 30;

const MAX_MS = MAX_UNATTENDED_DAYS * 86_400_000;
const TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d(:\d\d(\.\d{1,9})?)?([Zz]|[+-]\d\d:\d\d)$/;
const TIME_WITHOUT_ZONE = /^\d{4}-\d\d-\d\d([Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?)?$/;

const EXAMPLES =
  'such as 2026-11-23T08:00:00Z or 2026-11-23T08:00:00+01:00, or a duration such as 12h or 2d';

/**
 * Until when a job may work unattended, epoch ms: a time with its zone (RFC 3339), or how long from
 * `now` on. Else a clause with what is wrong.
 */
export function parseUntil(text: string, now: number): { until: number } | { problem: string } {
  const wait = parseShortDuration(text);
  const until = wait === null ? Date.parse(TIME.test(text) ? text : '') : now + wait;
  if (Number.isNaN(until))
    return {
      problem: TIME_WITHOUT_ZONE.test(text)
        ? `has no time zone; write a time ${EXAMPLES}`
        : `is not a time; write one ${EXAMPLES}`,
    };
  if (until <= now) return { problem: 'is in the past; use a future time' };
  if (until - now > MAX_MS)
    return { problem: `is more than ${MAX_UNATTENDED_DAYS} days away; at most that` };
  return { until };
}

/**
 * The end of unattended work, as an ISO time. Throws SvcError `invalid`, with `pointer` to the
 * mistake.
 */
export function parseUnattendedUntil(text: string, now: number, pointer: string): string {
  const parsed = parseUntil(text, now);
  if ('until' in parsed) return new Date(parsed.until).toISOString();
  throw new SvcError('invalid', `${text} ${parsed.problem}.`, {
    errors: [{ pointer, message: parsed.problem }],
  });
}

/** The params of a new job, with its time limit (if any) as an ISO time. */
export function normalizeUnattendedLimit(
  params: Record<string, unknown>,
  now: number,
): Record<string, unknown> {
  const { until } = Object(params.unattended) as { until?: string };
  return until === undefined
    ? params
    : {
        ...params,
        unattended: { until: parseUnattendedUntil(until, now, '/params/unattended/until') },
      };
}

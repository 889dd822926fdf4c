import { parseUntil } from '../../base/time/unattended.ts';
import { SvcError } from '../../base/errors/errors.ts';

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

import { existsSync } from 'node:fs';
import type { JournalRow } from '../../kernel/writer.ts';
import { SvcError } from '../../base/errors/errors.ts';

/** Start of the message; it marks a job that was parked for this reason. */
const MARK = 'The checkout of the job is missing: ';

/**
 * Why a checkout that a job had may be missing. `cleared`: the job has ended since, so cleanup or a
 * person may have removed it. `reported`: the job was parked for it and a person has resumed it.
 * `lost`: no one knows of it yet.
 */
export type CheckoutFate = 'cleared' | 'reported' | 'lost';

/** What the journal of a job says about a missing checkout. */
export function findCheckoutFate(
  rows: readonly Pick<JournalRow, 'event' | 'path'>[],
): CheckoutFate {
  const since = rows.slice(rows.findLastIndex(({ event }) => event.type === 'phase.prepared') + 1);
  if (since.some(({ path }) => path.some((state) => state.startsWith('ended')))) return 'cleared';
  const isTold = since.some(
    ({ event }) =>
      event.type === 'effect.givenUp' &&
      'error' in event &&
      typeof event.error === 'string' &&
      event.error.includes(MARK),
  );
  return isTold ? 'reported' : 'lost';
}

export interface MissingCheckout {
  /** Where it is expected now. */
  absDir: string;
  /** Where it was when the job had it; null or another value = the job never had one. */
  recorded: unknown;
  /** Called only if it is missing. */
  rows(): readonly Pick<JournalRow, 'event' | 'path'>[];
}

/**
 * The log line about a checkout that is cloned again although the job had one; null = the job has
 * it, or never had one. Throws SvcError `conflict` if a working job has lost it: its unpushed
 * commits are gone, which a person has to know.
 */
export function describeMissingCheckout({
  absDir,
  recorded,
  rows,
}: MissingCheckout): string | null {
  if (typeof recorded !== 'string' || existsSync(absDir)) return null;
  const fate = findCheckoutFate(rows());
  if (fate === 'cleared')
    return `the checkout ${absDir} was removed after the job ended; the job gets a fresh clone`;
  if (fate === 'reported')
    return `the checkout ${absDir} is still missing; the job was resumed without it and gets a fresh clone`;
  const elsewhere =
    recorded !== absDir && existsSync(recorded)
      ? ` It is at ${recorded}: move it to ${absDir}.`
      : '';
  throw new SvcError(
    'conflict',
    `${MARK}${absDir} is gone.${elsewhere} Commits that were not pushed, and files that were not committed, are lost with it. Put the folder back and resume the job, or resume without it: the job then continues in a fresh clone of the base branch.`,
  );
}

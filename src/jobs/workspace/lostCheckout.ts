import { existsSync } from 'node:fs';
import type { JournalRow } from '../../kernel/writer.ts';
import { SvcError } from '../../base/errors/errors.ts';

/** Start of the message; it marks a job that was parked for this reason. */
const MARK = 'The checkout of the job is missing: ';

/**
 * Why a checkout that a job had may be missing. `cleared`: the job has ended since, so cleanup or a
 * person may have removed it. `reported`: the job was parked for it and a person has resumed it.
 * `elsewhere`: it was made on another machine, whose home this runner has taken over. `lost`: no one
 * knows of it yet.
 */
export type CheckoutFate = 'cleared' | 'reported' | 'elsewhere' | 'lost';

/** What a person or a session was shown: `effect.givenUp` of phase.prepare, or a session's error. */
const isReport = ({ event }: Pick<JournalRow, 'event'>): boolean =>
  (event.type === 'effect.givenUp' || event.type === 'session.ended') &&
  'error' in event &&
  typeof event.error === 'string' &&
  event.error.includes(MARK);

/** What the journal of a job says about a missing checkout. */
export function findCheckoutFate(
  rows: readonly Pick<JournalRow, 'event' | 'path'>[],
  isFromElsewhere = false,
): CheckoutFate {
  const since = rows.slice(rows.findLastIndex(({ event }) => event.type === 'phase.prepared') + 1);
  if (since.some(({ path }) => path.some((state) => state.startsWith('ended')))) return 'cleared';
  if (since.some(isReport)) return 'reported';
  return isFromElsewhere ? 'elsewhere' : 'lost';
}

export interface MissingCheckout {
  /** Where it is expected now. */
  absDir: string;
  /** Where it was when the job had it; null or another value = the job never had one. */
  recorded: unknown;
  /** Called only if it is missing. */
  rows(): readonly Pick<JournalRow, 'event' | 'path'>[];
  /** Whether it was made on another machine, and never on this one. Default: it was not. */
  isFromElsewhere?: boolean;
  /** Whether a job continues without what another machine had, or a person is asked. Default: continue. */
  lostWork?: 'continue' | 'ask';
}

export interface LostCheckout {
  fate: Exclude<CheckoutFate, 'lost'>;
  /** For the log. */
  note: string;
}

const LOST_WORK = 'Commits that were not pushed, and files that were not committed, are';

/**
 * What is known of a checkout that is cloned again although the job had one; null = the job has it,
 * or never had one. Throws SvcError `conflict` if a working job has lost it and a person has to know:
 * its unpushed commits are gone.
 */
export function describeMissingCheckout({
  absDir,
  recorded,
  rows,
  isFromElsewhere = false,
  lostWork = 'continue',
}: MissingCheckout): LostCheckout | null {
  if (typeof recorded !== 'string' || existsSync(absDir)) return null;
  const fate = findCheckoutFate(rows(), isFromElsewhere);
  if (fate === 'cleared')
    return {
      fate,
      note: `the checkout ${absDir} was removed after the job ended; the job gets a fresh clone`,
    };
  if (fate === 'reported' && !isFromElsewhere)
    return {
      fate,
      note: `the checkout ${absDir} is still missing; the job was resumed without it and gets a fresh clone`,
    };
  if (fate !== 'lost') {
    if (fate === 'elsewhere' && lostWork === 'ask')
      throw new SvcError(
        'conflict',
        `${MARK}it is on the machine that this job was taken over from. ${LOST_WORK} only there (cloud.lostWork is ask). Resume to continue without them, in a fresh clone at what was pushed, or bring that machine back.`,
      );
    return {
      fate: 'elsewhere',
      note: `the job was taken over from another machine and gets a fresh clone: commits that were not pushed, and files that were not committed, are not here`,
    };
  }
  const elsewhere =
    recorded !== absDir && existsSync(recorded)
      ? ` It is at ${recorded}: move it to ${absDir}.`
      : '';
  throw new SvcError(
    'conflict',
    `${MARK}${absDir} is gone.${elsewhere} ${LOST_WORK} lost with it. Put the folder back and resume the job, or resume without it: the job then continues in a fresh clone of the base branch.`,
  );
}

import type { JobAnswer } from '../../../machines/index.ts';
import type { SessionResult } from '../../contract/session/executor.ts';
import type { Job } from '../../contract/schema/job/job.ts';
import { findBaseBranch } from '../brief/collectBriefFacts.ts';
import type { OpenSessionDeps } from '../open/openSessionDeps.ts';
import type { SessionWatch } from './sessionWatch.ts';

/** How a session leaves files and tests, and whether that is rated. */
export type ObservedWork = Pick<
  Extract<JobAnswer, { type: 'session.ended' }>,
  'work' | 'failing' | 'judge' | 'changed' | 'held'
>;

/** Only for a session that ended by itself; the rules look at no other. */
export const observeWork = async (
  deps: OpenSessionDeps,
  { id }: Job,
  { stopReason }: SessionResult,
  { failing }: Pick<SessionWatch, 'failing'>,
): Promise<ObservedWork> => {
  if (stopReason !== 'end_turn' && stopReason !== 'pause_turn') return {};
  const job = deps.job(id);
  const terms = stopReason === 'end_turn' ? deps.findRatingTerms(id) : null;
  const { repoCheckoutAbsDir: checkout } = job.params;
  const base = terms === null ? null : await findBaseBranch(deps.forges, job);
  const work = await deps.workplace.work(id, typeof checkout === 'string' ? checkout : null, base);
  return {
    ...(work === null ? {} : { work: work.hash }),
    ...(failing ? { failing } : {}),
    ...(terms === null ? {} : { judge: terms }),
    ...(terms !== null && work !== null && work.changed !== null ? { changed: work.changed } : {}),
  };
};

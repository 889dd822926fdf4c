import { toIsoTime } from '../../../base/time/toIsoTime.ts';
import type { ListedJob } from '../../store/queries/toListedJob.ts';
import type { Ask, JobNeeds, NeedsGroup } from '../../../contract/schema/job/jobNeeds.ts';

const toNeedsGroup = (ask: Ask): NeedsGroup => {
  if (ask === 'review') return 'review';
  return ask === 'failed' || ask === 'escalated' ? 'broken' : 'decide';
};

/** What the job needs a person for; null = nothing. */
export const toNeeds = ({
  ask,
  since,
  prs,
}: Pick<ListedJob, 'ask' | 'since' | 'prs'>): JobNeeds | null =>
  ask === null
    ? null
    : {
        group: toNeedsGroup(ask),
        ask,
        since: toIsoTime(since),
        ...(ask === 'review' && prs !== null ? { prIds: [...prs.openPrs] } : {}),
      };

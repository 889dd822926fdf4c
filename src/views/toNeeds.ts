import { iso } from '../domain/isoTime.ts';
import type { ListedJob } from '../durable/sqlite/listedJob.ts';
import type { Ask, JobNeeds, NeedsGroup } from '../schema/jobNeeds.ts';

const groupFor = (ask: Ask): NeedsGroup => {
  if (ask === 'review') return 'review';
  return ask === 'failed' || ask === 'escalated' ? 'broken' : 'decide';
};

/** What the list says that a job needs a person for; null = nothing. */
export const toNeeds = ({
  ask,
  since,
  prs,
}: Pick<ListedJob, 'ask' | 'since' | 'prs'>): JobNeeds | null =>
  ask === null
    ? null
    : {
        group: groupFor(ask),
        ask,
        since: iso(since),
        ...(ask === 'review' && prs !== null ? { prIds: [...prs.openPrs] } : {}),
      };

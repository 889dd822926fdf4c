import type { Ask, JobNeeds, JobSummary, NeedsGroup } from '../../src/schema/job.ts';
import { titleOfJob } from '../jobs/jobText.ts';
import { briefReason } from '../jobs/plainText.ts';
import type { Waiting } from '../shell/attention.ts';

export const ASK_NAMES: Readonly<Record<Ask, string>> = {
  approval: 'Approval',
  input: 'Question',
  external: 'Outside svc',
  halted: 'Campaign halted',
  budget: 'Budget spent',
  'open-pr': 'Pull request left open',
  failed: 'Failed',
  escalated: 'Escalated',
};

/** The groups of the inbox, in their order. */
export const GROUPS = ['decide', 'broken'] as const satisfies readonly NeedsGroup[];

export const GROUP_NAMES: Readonly<Record<NeedsGroup, string>> = {
  decide: 'Decide',
  broken: 'Broken',
};

export interface InboxItem extends Waiting, JobNeeds {
  job: JobSummary;
}

/** What a job waits for a person for; null = the runner says that it needs none. */
export function itemOf(job: JobSummary): InboxItem | null {
  if (job.needs === null) return null;
  const { group, ask, since } = job.needs;
  return {
    group,
    ask,
    since,
    key: `${job.id} ${ask} ${since}`,
    jobId: job.id,
    title: `${ASK_NAMES[ask]}: ${titleOfJob(job)}`,
    text: briefReason(job.parked?.reason ?? '').short,
    job,
  };
}

/** In the order of the inbox: what is to be decided first, the longest wait first in each group. */
export const inOrder = (items: readonly InboxItem[]): InboxItem[] =>
  [...items].sort(
    (a, b) =>
      GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group) ||
      a.since.localeCompare(b.since) ||
      a.key.localeCompare(b.key),
  );

import type { TeamJob } from '../../src/contract/schema/cloud/teamJob.ts';
import type { TeamRunner } from '../../src/contract/schema/cloud/teamRunner.ts';
import type { Job, JobSummary } from '../../src/contract/schema/job/job.ts';

/** What the list of a team does not hold of a job. */
const UNKNOWN: Omit<Job, keyof JobSummary> = {
  tenantId: '',
  params: {},
  interactive: false,
  visit: 0,
  workItems: [],
  currentWorkItem: null,
  prMappings: [],
  awaitingPrId: null,
  artefacts: [],
  insights: [],
  tokenUsage: [],
  unreported: 0,
  phases: [],
  pendingPrompt: null,
  escalationMessage: null,
  escalationHistory: [],
  decisionRecords: [],
  workflowPathHistory: [],
  approval: null,
  subRuns: [],
  aggregatedSiblingInsights: [],
  campaignChildren: [],
  campaignParentId: null,
  campaignAggregatedInsights: [],
  state: [],
  journalLength: 0,
};

const isListed = (reply: Job | TeamJob): reply is TeamJob => 'runner' in reply;

/**
 * A job with the runner that it is on. While that is away, the control plane answers with the row of its list: what
 * that does not hold is empty.
 */
export function toShownJob(
  reply: Job | TeamJob,
  runnerId: string | null,
  runners: readonly TeamRunner[],
): Job {
  if (isListed(reply)) return { ...UNKNOWN, ...reply };
  const runner = runners.find(({ id }) => id === runnerId);
  if (runner === undefined) return reply;
  const { id, name } = runner;
  const shownJob: Job & Pick<TeamJob, 'runner'> = {
    ...reply,
    runner: { id, name, awaySince: null },
  };
  return shownJob;
}

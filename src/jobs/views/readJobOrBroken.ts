import type { ListedJob } from '../store/queries/toListedJob.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';
import type { Job } from '../../contract/schema/job/job.ts';
import { listDecisionRecords } from './listDecisionRecords.ts';
import {
  listJobArtefacts,
  countUnreportedSessions,
  listJobInsights,
  listPrMappings,
  readJobSandboxes,
  listPhaseUsage,
  listPhaseVisits,
} from './jobRows.ts';
import { toErrorMessage, SvcError } from '../../base/errors/errors.ts';
import { toJobSummary } from './list/jobSummary.ts';

/**
 * An unreadable job: what its rows say, and the rest empty. It does nothing until it can be read
 * again, and nothing of it is removed.
 */
export const toBrokenJob = (listedJob: ListedJob, rows: RowReader): Job => ({
  ...toJobSummary(listedJob),
  tenantId: '',
  params: listedJob.repo === null ? {} : { repoSlug: listedJob.repo },
  interactive: false,
  visit: 0,
  workItems: [],
  currentWorkItem: null,
  prMappings: listPrMappings(rows, listedJob.id),
  awaitingPrId: null,
  artefacts: listJobArtefacts(rows, listedJob.id),
  insights: listJobInsights(rows, listedJob.id),
  tokenUsage: listPhaseUsage(rows, listedJob.id),
  unreported: countUnreportedSessions(rows, listedJob.id),
  ...readJobSandboxes(rows, listedJob.id),
  phases: listPhaseVisits(rows, listedJob.id),
  pendingPrompt: null,
  escalationMessage: listedJob.escalation,
  escalationHistory: [],
  decisionRecords: listDecisionRecords(rows, listedJob.id),
  workflowPathHistory: [],
  approval: null,
  subRuns: [],
  aggregatedSiblingInsights: [],
  campaignChildren: [],
  campaignParentId: listedJob.parent,
  campaignAggregatedInsights: [],
  state: [],
  journalLength: 0,
});

/**
 * A job, or what is left of it: a state may be valid JSON and still not be what its reader relies
 * on. Throws every error except that the job cannot be read.
 */
export function readJobOrBroken(read: () => Job, toBroken: (reason: string) => Job): Job {
  try {
    return read();
  } catch (error) {
    if (error instanceof SvcError && error.code !== 'broken-row') throw error;
    return toBroken(toErrorMessage(error));
  }
}

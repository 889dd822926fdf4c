import type { ListedJob } from '../durable/sqlite/listedJob.ts';
import type { RowReader } from '../durable/sqlite/rowReader.ts';
import type { Job } from '../schema/job.ts';
import { decisionRecordsOf } from './decisionRecords.ts';
import {
  artefactsOf,
  countUnreported,
  insightsOf,
  prsOf,
  sandboxesIn,
  usageOf,
  visitsOf,
} from './jobRows.ts';
import { messageOf, SvcError } from '../lib/errors.ts';
import { summaryOf } from './jobSummary.ts';

/**
 * A job whose own state cannot be read: what its rows say of it, and the rest empty. It does nothing
 * until it can be read again, and nothing of it is removed.
 */
export const brokenJobOf = (listed: ListedJob, rows: RowReader): Job => ({
  ...summaryOf(listed),
  tenantId: '',
  params: listed.repo === null ? {} : { repoSlug: listed.repo },
  interactive: false,
  visit: 0,
  workItems: [],
  currentWorkItem: null,
  prMappings: prsOf(rows, listed.id),
  awaitingPrId: null,
  artefacts: artefactsOf(rows, listed.id),
  insights: insightsOf(rows, listed.id),
  tokenUsage: usageOf(rows, listed.id),
  unreported: countUnreported(rows, listed.id),
  ...sandboxesIn(rows, listed.id),
  phases: visitsOf(rows, listed.id),
  pendingPrompt: null,
  escalationMessage: listed.escalation,
  escalationHistory: [],
  decisionRecords: decisionRecordsOf(rows, listed.id),
  workflowPathHistory: [],
  approval: null,
  subRuns: [],
  aggregatedSiblingInsights: [],
  campaignChildren: [],
  campaignParentId: listed.parent,
  campaignAggregatedInsights: [],
  state: [],
  journalLength: 0,
});

/**
 * A job, or what is left of it: a state may be whole JSON and not what its reader relies on. Throws
 * every refusal but that the job cannot be read.
 */
export function readableJob(read: () => Job, broken: (reason: string) => Job): Job {
  try {
    return read();
  } catch (error) {
    if (error instanceof SvcError && error.code !== 'broken-row') throw error;
    return broken(messageOf(error));
  }
}

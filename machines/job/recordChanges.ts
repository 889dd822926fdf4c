import { onJobEvent, type JobChange, type JobEffect } from './change.ts';
import type { JobContext } from './jobContext.ts';
import { toUsageFrame, toUsageRow } from './rows.ts';
import { findParkPhase } from './rules/coordination.ts';
import { listReferences } from './rules/references.ts';

/** Lets an event of a ticket find the job without a scan of all jobs. */
export const storeReferenceRows = ({
  id,
  params,
}: Pick<JobContext, 'id' | 'params'>): JobEffect[] =>
  listReferences(params).map((reference) => ({
    type: 'row.put',
    params: { table: 'job_references', row: { reference, job_id: id } },
  }));

/** Lets jobs with sub-runs be found without a scan. Stays when the workflow changes. */
export const storeCampaignRow = ({
  id,
  workflow,
}: Pick<JobContext, 'id' | 'workflow'>): JobEffect[] =>
  findParkPhase(workflow) === null
    ? []
    : [{ type: 'row.put', params: { table: 'campaigns', row: { job_id: id } } }];

export const recordChanges = {
  storeReferences: (context) => ({ effects: storeReferenceRows(context) }),
  storeCoordinator: (context) => ({ effects: storeCampaignRow(context) }),
  recordUsage: onJobEvent(['session.ended'], (context, event) =>
    event.usage === null
      ? {}
      : {
          effects: [
            { type: 'row.put', params: toUsageRow(context, event, event.usage) },
            { type: 'frame.add', params: toUsageFrame(context, event, event.usage) },
          ],
        },
  ),
} satisfies Record<string, JobChange>;

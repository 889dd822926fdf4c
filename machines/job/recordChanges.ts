import { by, type JobChange, type JobEffect } from './change.ts';
import type { JobContext } from './jobContext.ts';
import { usageFrame, usageRow } from './rows.ts';
import { parkPhaseOf } from './rules/coordination.ts';
import { referencesOf } from './rules/references.ts';

/** So that an event of a ticket finds the job without looking at all of them. */
export const referencePuts = ({ id, params }: Pick<JobContext, 'id' | 'params'>): JobEffect[] =>
  referencesOf(params).map((reference) => ({
    type: 'row.put',
    params: { table: 'job_references', row: { reference, job_id: id } },
  }));

/**
 * So that jobs with sub-runs are found without looking at all of them, whatever their type. Stays
 * when the workflow changes.
 */
export const coordinatorPuts = ({
  id,
  workflow,
}: Pick<JobContext, 'id' | 'workflow'>): JobEffect[] =>
  parkPhaseOf(workflow) === null
    ? []
    : [{ type: 'row.put', params: { table: 'campaigns', row: { job_id: id } } }];

/** Changes of rows alone: what is found or counted without the chart. */
export const recordChanges = {
  storeReferences: (context) => ({ effects: referencePuts(context) }),
  storeCoordinator: (context) => ({ effects: coordinatorPuts(context) }),
  recordUsage: by(['session.ended'], (context, event) =>
    event.usage === null
      ? {}
      : {
          effects: [
            { type: 'row.put', params: usageRow(context, event, event.usage) },
            { type: 'frame.add', params: usageFrame(context, event, event.usage) },
          ],
        },
  ),
} satisfies Record<string, JobChange>;

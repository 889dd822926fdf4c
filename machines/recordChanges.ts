import { by, type JobChange } from './change.ts';
import { usageFrame, usageRow } from './jobRows.ts';
import { parkPhaseOf } from './rules/coordination.ts';
import { referencesOf } from './rules/references.ts';

/** Changes of rows alone: what is found or counted without the chart. */
export const recordChanges = {
  /** So that an event of a ticket finds the job without looking at all of them. */
  storeReferences: ({ id, params }) => ({
    effects: referencesOf(params).map((reference) => ({
      type: 'row.put',
      params: { table: 'job_references', row: { reference, job_id: id } },
    })),
  }),
  /**
   * So that jobs with sub-runs are found without looking at all of them, whatever their type. Stays when the workflow
   * changes.
   */
  storeCoordinator: ({ id, workflow }) =>
    parkPhaseOf(workflow) === null ? {} : { effects: [{ type: 'row.put', params: { table: 'campaigns', row: { job_id: id } } }] },
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

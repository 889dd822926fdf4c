import { toIsoTime } from '../../../base/time/toIsoTime.ts';
import type { Runner } from '../../../contract/runner/runner.ts';
import type { WorkflowRunReader } from '../../store/queries/workflowRunReader.ts';

/** GET /workflows/runs: how often each transition of a workflow was taken by its newest runs. */
export const createWorkflowRuns = (reader: WorkflowRunReader): Pick<Runner, 'workflowRuns'> => ({
  workflowRuns({ workflow }) {
    const { since, ...counts } = reader.runs(workflow);
    return {
      workflow,
      ...counts,
      since: since === null ? null : toIsoTime(since),
      transitions: reader.transitions(workflow),
    };
  },
});

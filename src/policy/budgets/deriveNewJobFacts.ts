import type { WorkflowTable } from '../../contract/schema/workflow/workflow.ts';
import { readParamCaps, type JobFacts, NO_JOB } from './readJobFacts.ts';

export interface NewJob {
  workflowPath: string;
  workflow: WorkflowTable;
  params: Record<string, unknown>;
  interactive: boolean;
}

/** The budget facts of its first session. */
export const deriveNewJobFacts = ({
  workflowPath,
  workflow,
  params,
  interactive,
}: NewJob): JobFacts => ({
  ...NO_JOB,
  repository: typeof params.repoSlug === 'string' ? params.repoSlug : null,
  interactive,
  workflowPath,
  workflow: workflow.budget,
  params: readParamCaps(params),
  phase:
    workflow.phases.find(({ name, agent }) => name === workflow.initial_phase && agent !== null) ??
    null,
  visit: 1,
  session: 1,
  isNewVisit: true,
});

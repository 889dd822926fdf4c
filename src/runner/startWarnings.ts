import type { FailurePolicy, WorkflowTable } from '../schema/workflow.ts';

/** A new job as far as it can need a person who may not be there. */
interface Started {
  interactive: boolean;
  workflowPath: string;
  workflow: Pick<WorkflowTable, 'coordinator'>;
  /** Of its sub-runs, where the request says something else than the workflow. */
  failurePolicy?: FailurePolicy | undefined;
}

/** What whoever starts a job should know before it runs, a sentence each. */
export function startWarnings({ interactive, workflowPath, workflow, failurePolicy }: Started): string[] {
  const { coordinator } = workflow;
  if (interactive || coordinator?.enabled !== true) return [];
  const policy = failurePolicy ?? coordinator.failurePolicy;
  return policy === 'halt-on-failure'
    ? [
        `The job runs without people, but ${failurePolicy === undefined ? workflowPath : 'the campaign'} has failurePolicy: halt-on-failure: when a sub-run fails, the others wait until a person decides. Use failurePolicy: continue to go on without the failed one.`,
      ]
    : [];
}

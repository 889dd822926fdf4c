import type { JobInput } from '../machines/index.ts';
import type { WorkflowTable } from '../src/contract/schema/workflow/workflow.ts';
import { WORKFLOW_PATH } from './benchWorkflow.ts';

/** What a job of a bench starts with. It has no repository: what git costs is not the runner's. */
export const jobInput = (id: string, workflow: WorkflowTable): JobInput => ({
  id,
  type: 'job',
  tenantId: 'solo-bench',
  workflowPath: WORKFLOW_PATH,
  workflow,
  params: { description: 'Show the day of delivery on the page of an order', serviceName: 'bench' },
  interactive: true,
  limits: { gateBlocks: 5, sessionsPerVisit: 10 },
  createdAt: Date.now(),
});

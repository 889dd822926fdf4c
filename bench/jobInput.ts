import type { JobInput } from '../machines/index.ts';
import type { WorkflowTable } from '../src/schema/workflow.ts';
import { WORKFLOW_PATH } from './benchWorkflow.ts';

/** What a job of a bench starts with: the params that a real request has. */
export const jobInput = (id: string, workflow: WorkflowTable): JobInput => ({
  id,
  type: 'job',
  tenantId: 'solo-bench',
  workflowPath: WORKFLOW_PATH,
  workflow,
  params: { description: 'Show the delivery date on the order page', repoSlug: 'shop', serviceName: 'shop' },
  interactive: true,
  limits: { gateBlocks: 5, sessionsPerVisit: 10 },
  createdAt: Date.now(),
});

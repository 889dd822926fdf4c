import type { Settings } from '../../contract/schema/runner/settings.ts';
import type { Coordinator } from '../../contract/schema/workflow/workflow.ts';

/** Most parallel sub-runs of one parent; the tenant's limit overrides the workflow's (SUB-3). */
export const resolveParallelSubRuns = (
  { coordination }: Pick<Settings, 'coordination'>,
  coordinator: Coordinator,
): number => coordination.maxParallelSubRuns ?? coordinator.maxParallelSubRuns;

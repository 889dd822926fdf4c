import type { Settings } from '../../contract/schema/runner/settings.ts';
import type { Coordinator } from '../../contract/schema/workflow/workflow.ts';

/** Sub-runs of one parent at once: the tenant's word counts more than the workflow's (SUB-3). */
export const resolveParallelSubRuns = (
  { coordination }: Pick<Settings, 'coordination'>,
  coordinator: Coordinator,
): number => coordination.maxParallelSubRuns ?? coordinator.maxParallelSubRuns;

import { type JobContext, applyFallback } from '../../../machines/index.ts';
import type { Fallback } from '../../base/agents/fallback.ts';
import type { BudgetScope, Caps } from '../../base/spending/budgetScopes.ts';
import type { PhaseDefinition } from '../../contract/schema/workflow/workflow.ts';

export interface JobFacts {
  id: string;
  root: string;
  repository: string | null;
  interactive: boolean;
  workflowPath: string;
  workflow: Caps | undefined;
  params: Caps | undefined;
  /** null = no phase with an agent, or an unknown one. */
  phase: PhaseDefinition | null;
  visit: number;
  session: number;
  isNewVisit: boolean;
}

export const readParamCaps = (params: Record<string, unknown>): Caps | undefined =>
  typeof params.budget === 'object' && params.budget !== null ? params.budget : undefined;

/**
 * Facts for the session that a job begins or continues; `next`: as the queued job will. `fallback`:
 * the fallback of a new visit.
 */
export function readJobFacts(
  context: JobContext,
  root: string,
  next: boolean,
  begunFallback?: Fallback,
): JobFacts {
  const { id, params, interactive, workflowPath, workflow } = context;
  const step = next ? context.next : null;
  const isNewVisit = step !== null && !step.sameVisit;
  const name = step?.phase ?? context.phase;
  const phase = workflow.phases.find((one) => one.name === name && one.agent !== null);
  const fallback = isNewVisit ? begunFallback : context.fallback;
  return {
    id,
    root,
    repository: typeof params.repoSlug === 'string' ? params.repoSlug : null,
    interactive,
    workflowPath,
    workflow: workflow.budget,
    params: readParamCaps(params),
    phase: phase === undefined ? null : applyFallback(phase, { fallback }),
    visit: context.visit + Number(isNewVisit),
    session: isNewVisit ? 1 : context.session + Number(step !== null),
    isNewVisit,
  };
}

/** A campaign has the caps of the job at its top. */
export const readCampaignCaps = (root: JobContext): (Caps | undefined)[] =>
  [root.workflow.budget, readParamCaps(root.params)].map((caps) =>
    caps?.campaign ? { campaign: caps.campaign } : undefined,
  );

/** The ledger's key of a scope; null if the job has none. */
export function resolveScopeKey(scope: BudgetScope, facts: JobFacts): string | null {
  const { id, root, repository, visit, session } = facts;
  if (scope === 'session') return `${id}/${visit}.${session}`;
  if (scope === 'phase') return `${id}/${visit}`;
  if (scope === 'job') return id;
  if (scope === 'campaign') return root;
  return scope === 'repository' ? repository : '';
}

/** Key of a phase's cap on visits, which counts all its visits in the job. */
export const toPhaseKey = ({ id, phase }: JobFacts): string => `${id}/${phase?.name ?? ''}`;

/** Facts for what belongs to no job. */
export const NO_JOB: JobFacts = {
  id: '',
  root: '',
  repository: null,
  interactive: true,
  workflowPath: '',
  workflow: undefined,
  params: undefined,
  phase: null,
  visit: 0,
  session: 0,
  isNewVisit: false,
};

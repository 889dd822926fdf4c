import type { JobContext } from '../../../machines/index.ts';
import {
  toExecutorId,
  listFallbackAliases,
  resolvePhaseModel,
} from '../../workflows/definition/resolvePhaseModel.ts';
import type { Executor } from '../../contract/session/executor.ts';
import type { Fallback } from '../../base/agents/fallback.ts';
import type { PhaseDefinition } from '../../contract/schema/workflow/workflow.ts';
import { type AccountLookupDeps, findPhaseAccount } from './findPhaseAccount.ts';

interface FallbackDeps extends AccountLookupDeps {
  executor(id: string): Pick<Executor, 'pool' | 'lacks'> | undefined;
}

/**
 * The alias with which a visit begins while its phase's account is exhausted; null = it waits. An
 * alias without a usable executor or account is passed over for its own fallback. A visit that has
 * begun keeps its model, since its conversation cannot move, and so does a phase that pins its
 * provider. `isOpen`: whether an account takes this job.
 */
export function pickQuotaFallback(
  deps: FallbackDeps,
  { next }: Pick<JobContext, 'next'>,
  phase: PhaseDefinition,
  exhausted: string,
  isOpen: (accountId: string) => boolean,
): Fallback | null {
  const { model: from } = phase;
  if (next === null || next.sameVisit || from === null) return null;
  for (const to of listFallbackAliases(deps.settings.llm, phase)) {
    const instead = { ...phase, model: to };
    if (!isRunnable(deps, instead)) continue;
    const accountId = findPhaseAccount(deps, instead);
    if (accountId !== exhausted && (accountId === null || isOpen(accountId)))
      return { from, to, pool: exhausted };
  }
  return null;
}

function isRunnable({ settings, executor }: FallbackDeps, phase: PhaseDefinition): boolean {
  if (phase.model === null || !Object.hasOwn(settings.llm.aliases, phase.model)) return false;
  const llm = resolvePhaseModel(settings.llm, phase);
  const found = executor(toExecutorId(llm.provider));
  return found !== undefined && (found.lacks?.({ llm, command: null }) ?? null) === null;
}

import { type JobContext, applyFallback } from '../../../machines/index.ts';
import { toExecutorId, resolvePhaseModel } from '../../workflows/definition/resolvePhaseModel.ts';
import type { Executor } from '../../contract/session/executor.ts';
import { toQuotaAccountId } from '../../base/agents/credentialPool.ts';
import type { Settings } from '../../contract/schema/runner/settings.ts';
import type { PhaseDefinition } from '../../contract/schema/workflow/workflow.ts';

export interface AccountLookupDeps {
  settings: Pick<Settings, 'llm'>;
  executor(id: string): Pick<Executor, 'pool'> | undefined;
}

/** Id of the account that a session of the phase would use now; null = none or unknown. */
export function findPhaseAccount(
  { settings, executor }: AccountLookupDeps,
  phase: Pick<PhaseDefinition, 'agent' | 'model' | 'provider'>,
): string | null {
  if (phase.agent === null) return null;
  const llm = resolvePhaseModel(settings.llm, phase);
  const account = executor(toExecutorId(llm.provider))?.pool?.({ llm, command: null });
  return account ? toQuotaAccountId(account) : null;
}

/** The phase that a job begins or continues next; undefined if it no longer exists. */
export function findUpcomingPhase(context: JobContext): PhaseDefinition | undefined {
  const { workflow, phase, next } = context;
  const name = next?.phase ?? phase;
  const nextPhase = workflow.phases.find((one) => one.name === name);
  const begins = next !== null && !next.sameVisit;
  return nextPhase && (begins ? nextPhase : applyFallback(nextPhase, context));
}

export function findJobAccount(deps: AccountLookupDeps, context: JobContext): string | null {
  const phase = findUpcomingPhase(context);
  return phase ? findPhaseAccount(deps, phase) : null;
}

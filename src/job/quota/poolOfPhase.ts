import type { JobContext } from '../../../machines/index.ts';
import { executorOf, phaseModel } from '../../authoring/workflows/phaseModel.ts';
import type { Executor } from '../../contract/executor.ts';
import { poolId } from '../../domain/credentialPool.ts';
import type { Settings } from '../../schema/settings.ts';
import type { PhaseDefinition } from '../../schema/workflow.ts';

export interface PoolDeps {
  settings: Pick<Settings, 'llm'>;
  executor(id: string): Pick<Executor, 'pool'> | undefined;
}

/** Id of the pool that a session of the phase uses, as set now; null = none, or it is not known. */
export function poolOfPhase(
  { settings, executor }: PoolDeps,
  phase: Pick<PhaseDefinition, 'agent' | 'model' | 'provider'>,
): string | null {
  if (phase.agent === null) return null;
  const llm = phaseModel(settings.llm, phase);
  const pool = executor(executorOf(llm.provider))?.pool?.({ llm, command: null });
  return pool ? poolId(pool) : null;
}

/** The same for the phase that a job begins or continues next. */
export function poolOfJob(deps: PoolDeps, { workflow, phase, next }: JobContext): string | null {
  const name = next?.phase ?? phase;
  const found = workflow.phases.find((one) => one.name === name);
  return found ? poolOfPhase(deps, found) : null;
}

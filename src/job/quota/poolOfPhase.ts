import { type JobContext, phaseRun } from '../../../machines/index.ts';
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

/** The phase that a job begins or continues next, as it is run; undefined for one that is gone. */
export function phaseToCome(context: JobContext): PhaseDefinition | undefined {
  const { workflow, phase, next } = context;
  const name = next?.phase ?? phase;
  const found = workflow.phases.find((one) => one.name === name);
  const begins = next !== null && !next.sameVisit;
  return found && (begins ? found : phaseRun(found, context));
}

/** The pool of that phase. */
export function poolOfJob(deps: PoolDeps, context: JobContext): string | null {
  const phase = phaseToCome(context);
  return phase ? poolOfPhase(deps, phase) : null;
}

import type { Executor } from '../../contract/session/executor.ts';
import { SvcError } from '../../base/errors/errors.ts';
import { toExecutorId, resolvePhaseModel } from '../../workflows/definition/resolvePhaseModel.ts';
import type { OpenSessionDeps, OpenParams } from './openSessionDeps.ts';

/**
 * Where a continued session continues to number its calls: an agent that lost its conversation
 * repeats those of the first.
 */
export const pickCallNumber = (
  { session, continued }: OpenParams,
  { resume }: Executor['capabilities'],
): number => (continued ? (resume ? continued.calls : continued.first) : session);

/** Throws SvcError `not-found` if it is not installed. */
export const requireChosenExecutor = (
  { settings, executor }: OpenSessionDeps,
  { phase }: OpenParams,
): Executor => {
  const id = toExecutorId(resolvePhaseModel(settings.llm, phase).provider);
  const chosenExecutor = executor(id);
  if (!chosenExecutor)
    throw new SvcError(
      'not-found',
      `Phase ${phase.name} asks for the executor ${id}, which is not installed.`,
    );
  return chosenExecutor;
};

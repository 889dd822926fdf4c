import type { Executor } from '../contract/executor.ts';
import { SvcError } from '../lib/errors.ts';
import { executorOf, phaseModel } from '../authoring/workflows/phaseModel.ts';
import type { OpenSessionDeps, OpenParams } from './openSessionDeps.ts';

/**
 * Under whose numbers a continued session makes its calls: an agent that has lost its conversation
 * repeats those of the first.
 */
export const callsOf = (
  { session, continued }: OpenParams,
  { resume }: Executor['capabilities'],
): number => (continued ? (resume ? continued.calls : continued.first) : session);

/** Throws SvcError `not-found` where it is not installed. */
export const chosenExecutor = (
  { settings, executor }: OpenSessionDeps,
  { phase }: OpenParams,
): Executor => {
  const id = executorOf(phaseModel(settings.llm, phase).provider);
  const found = executor(id);
  if (!found)
    throw new SvcError(
      'not-found',
      `Phase ${phase.name} asks for the executor ${id}, which is not installed.`,
    );
  return found;
};

import type { PhaseModel } from '../../contract/schema/runner/settings.ts';
import type { Executor } from '../../contract/session/executor.ts';

/**
 * Why none of the executors could start a session for a phase with this model and an agent with
 * this program, as a clause; null = nothing is known against it. An executor that does not exist is
 * not looked at: that is a mistake of its own.
 */
export const createLackFinder =
  (executors: () => readonly Pick<Executor, 'id' | 'lacks'>[]) =>
  (llm: PhaseModel, command: readonly string[] | null): string | null => {
    const id = llm.provider.split(':', 1)[0];
    return (
      executors()
        .find((executor) => executor.id === id)
        ?.lacks?.({ llm, command }) ?? null
    );
  };

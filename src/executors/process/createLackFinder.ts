import type { PhaseModel } from '../../contract/schema/runner/settings.ts';
import type { Executor } from '../../contract/session/executor.ts';

/**
 * Why none of the executors could start a session for a phase with this model and an agent with
 * this program, as a clause; null = no known reason. Unknown executors are skipped: they are
 * reported elsewhere.
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

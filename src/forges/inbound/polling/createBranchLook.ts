import type { Forge, PrAddress } from '../../../contract/forge/forge.ts';
import type { Clock } from '../../../base/time/clock.ts';
import { toErrorMessage } from '../../../base/errors/errors.ts';
import type { Log } from '../../../base/system/log/log.ts';
import type { Kernel } from '../../../contract/records/changes.ts';
import type { PrSight } from './prSight.ts';

interface BranchLookDeps {
  /** The local forge; undefined = none is configured. */
  forge: Forge | undefined;
  /** Commits what has happened to its open pull requests unobserved. */
  resync(): Promise<number>;
  listWatched(forge: string): readonly PrAddress[];
  sight: PrSight;
  kernel: Pick<Kernel, 'submit'>;
  clock: Clock;
  log: Log;
}

const isStopping = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'stopping';

/**
 * Looks once at the branches of the local forge: commits merges made with git, and tells jobs about
 * pull requests that nothing can come from.
 */
export const createBranchLook =
  ({ forge, resync, listWatched: watched, sight, kernel, clock, log }: BranchLookDeps) =>
  async (): Promise<void> => {
    if (!forge) return;
    try {
      await resync();
      const prs = watched(forge.id);
      if (prs.length === 0) return;
      const newsBatch = await forge.news(prs);
      const sends = sight.noteAnsweredPoll(
        { id: forge.id, consistencyMs: 0 },
        newsBatch,
        clock.now(),
      );
      if (sends.length > 0) await kernel.submit({ sends });
    } catch (error) {
      // What is written while the runner stops is refused; the next start looks again.
      if (!isStopping(error))
        log.warn(
          { forge: forge.id, error: toErrorMessage(error) },
          'the branches of local repositories cannot be checked for merges; svc tries again',
        );
      throw error;
    }
  };

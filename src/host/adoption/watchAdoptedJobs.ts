import { shorten } from '../../base/text/clip.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { AdoptedJob } from '../../contract/schema/runner/cloudStatus.ts';
import type { Runner } from '../../contract/runner/runner.ts';

/** Most jobs that the adopter shows. */
const MOST_SHOWN = 50;
const MAX_TITLE_CHARS = 120;
/** How long changes are collected, ms. */
const COLLECT_MS = 500;
/** How long all jobs must have ended before the work is over: the team's list gets the last changes meanwhile, ms. */
const OVER_AFTER_MS = 3_000;

interface WatchParts {
  runner: Pick<Runner, 'jobs' | 'watchJobs' | 'health'>;
  clock: Clock;
  onJobs(jobs: AdoptedJob[]): void;
  /** Every job of the home has ended. Once. */
  onOver(): void;
  onError(err: unknown): void;
}

/** The first line of the request. */
const toTitle = (description: string): string =>
  shorten(description.trim().split('\n')[0] ?? '', MAX_TITLE_CHARS);

/** Follows the jobs of an adopted home, for the runner that continues it, until the returned function is called. */
export function watchAdoptedJobs({ runner, clock, onJobs, onOver, onError }: WatchParts) {
  let isStopped = false;
  let cancelLook: (() => void) | null = null;
  let cancelOver: (() => void) | null = null;
  const hasNone = (): boolean => {
    const { live, parked } = runner.health().jobs;
    return live + parked === 0;
  };
  const look = async (): Promise<void> => {
    const is = 'queued,working,waiting,needs-you';
    const { jobs } = await runner.jobs({ is, limit: MOST_SHOWN, offset: 0 });
    if (isStopped) return;
    onJobs(
      jobs
        .filter(({ ended }) => !ended)
        .map(({ id, status, description }) => ({
          id,
          status,
          title: toTitle(description) || id,
        })),
    );
    if (!hasNone()) {
      cancelOver?.();
      cancelOver = null;
    } else
      cancelOver ??= clock.at(clock.now() + OVER_AFTER_MS, () => {
        if (!isStopped && hasNone()) onOver();
      });
  };
  const lookSoon = (): void => {
    cancelLook ??= clock.at(clock.now() + COLLECT_MS, () => {
      cancelLook = null;
      look().catch(onError);
    });
  };
  const unwatch = runner.watchJobs(lookSoon);
  lookSoon();
  return () => {
    isStopped = true;
    unwatch();
    cancelLook?.();
    cancelOver?.();
  };
}

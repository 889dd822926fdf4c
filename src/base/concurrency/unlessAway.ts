import type { Clock } from '../time/clock.ts';

/** Since when the control plane has not answered, epoch ms; null = it answers, or the runner has none. */
export type AwaySince = () => number | null;

/** Of a runner without a control plane. */
export const neverAway: AwaySince = () => null;

/** How often it is checked whether the control plane is away, ms. */
const LOOK_AGAIN_MS = 1_000;

interface AwayLimit {
  clock: Clock;
  awaySince: AwaySince;
  /** How long the work may wait for a control plane that is away, ms. */
  mostMs: number;
}

/**
 * The outcome of the work. Where it takes longer than `mostMs` and the control plane is away, that of `giveUp`: the work
 * continues, and what it does still comes.
 */
export function unlessAway<T>(
  work: Promise<T>,
  { clock, awaySince, mostMs }: AwayLimit,
  giveUp: (since: number) => T,
): Promise<T> {
  // A runner of its own has no timers for this.
  if (awaySince === neverAway) return work;
  return new Promise((resolve, reject) => {
    let cancel = (): void => {};
    const look = (): void => {
      const since = awaySince();
      if (since === null) cancel = clock.at(clock.now() + LOOK_AGAIN_MS, look);
      else
        try {
          resolve(giveUp(since));
        } catch (error) {
          reject(error);
        }
    };
    cancel = clock.at(clock.now() + mostMs, look);
    work.then(resolve, reject).finally(() => cancel());
  });
}

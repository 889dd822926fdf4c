import type { Clock } from '../../base/time/clock.ts';
import { createDeferred } from '../../base/concurrency/createDeferred.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { ChildRunner } from './childRunner.ts';
import { type UpgradePlan, openUpgradePlan } from './upgradePlan.ts';

/** How long a new program may take, from the free state to its healthy answer, ms. */
export const TRIAL_MS = 120_000;
/**
 * The address of a program on trial, once it is healthy. While it waits for a state that another
 * process has, its time does not run, and the plan says what it waits for. Rejects with SvcError where
 * it ends or is late.
 */
export async function awaitHealthy(
  next: ChildRunner,
  plan: UpgradePlan,
  { home, clock, isHealthy }: { home: string; clock: Clock; isHealthy(url: string): Promise<void> },
): Promise<string> {
  const late = createDeferred<never>();
  let cancel = (): void => {};
  const expect = (): void => {
    cancel();
    cancel = clock.at(clock.now() + TRIAL_MS, () =>
      late.reject(new SvcError('conflict', `It was not healthy within ${TRIAL_MS / 1000} s.`)),
    );
  };
  let waitsFor: string | undefined;
  let writing = Promise.resolve();
  next.onWaiting((reason) => {
    expect();
    if (reason === waitsFor) return;
    waitsFor = reason;
    // For those who follow the take-over; without it they see only that it takes long.
    writing = writing
      .then(() => openUpgradePlan(home).write({ ...plan, waitsFor: reason }))
      .catch(() => {});
  });
  expect();
  try {
    const url = await Promise.race([next.serving, late.promise]);
    await Promise.race([isHealthy(url), late.promise]);
    return url;
  } finally {
    cancel();
    await writing;
  }
}

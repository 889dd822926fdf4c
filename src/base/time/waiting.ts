import type { Clock } from './clock.ts';

/** Resolves after `ms`, or as soon as `signal` is aborted; never rejects. */
export const sleep = (clock: Clock, ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    let cancel = (): void => {};
    const over = (): void => {
      signal?.removeEventListener('abort', over);
      cancel();
      resolve();
    };
    cancel = clock.at(clock.now() + ms, over);
    if (signal?.aborted) over();
    else signal?.addEventListener('abort', over, { once: true });
  });

/**
 * The answer, or what `late` returns or throws when there is no answer after `ms`. A rejection of
 * the answer is passed on. The timer is cancelled as soon as the answer arrives.
 */
export async function raceDeadline<T, L>(
  clock: Clock,
  ms: number,
  answer: Promise<T>,
  late: () => L,
): Promise<T | L> {
  let cancel = (): void => {};
  const timer = new Promise<L>((resolve, reject) => {
    cancel = clock.at(clock.now() + ms, () => {
      try {
        resolve(late());
      } catch (error) {
        reject(error);
      }
    });
  });
  try {
    return await Promise.race([answer, timer]);
  } finally {
    cancel();
  }
}

import type { Clock } from '../lib/clock.ts';

/** The answer, or `late` when it is not there after `ms`. A rejection is passed on. */
export async function within<T, L>(clock: Clock, ms: number, late: L, answer: Promise<T>): Promise<T | L> {
  let stop = () => {};
  const timer = new Promise<L>((resolve) => {
    stop = clock.at(clock.now() + ms, () => resolve(late));
  });
  try {
    return await Promise.race([answer, timer]);
  } finally {
    stop();
  }
}

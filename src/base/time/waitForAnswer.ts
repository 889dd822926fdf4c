import type { Clock } from './clock.ts';
import { SvcError } from '../errors/errors.ts';

/** Waits for an answer, at most `ms`. Rejects as it does, or with SvcError `unreachable`. */
export async function waitForAnswer<Value>(
  answer: Promise<Value>,
  ms: number,
  clock: Clock,
): Promise<Value> {
  let cancel = () => {};
  const late = new Promise<never>((_, reject) => {
    cancel = clock.at(clock.now() + ms, () =>
      reject(new SvcError('unreachable', `It did not answer within ${ms / 1000} s.`)),
    );
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    cancel();
  }
}

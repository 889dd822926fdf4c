/** Runs at most this many works at the same time; the others wait, in their order. */
export function createConnectionShare(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      // The place goes to the next one: no new one can come first.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

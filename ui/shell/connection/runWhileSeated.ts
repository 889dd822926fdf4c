/**
 * A browser makes six connections to one server, for all of its tabs together. Streams of jobs that
 * are open in many tabs would take them all, and then every request of every tab would wait for
 * ever. So a hidden tab holds no stream of a job, and visible ones hold at most
 * this many together; the list's stream takes one more.
 */
const SEATS = Array.from({ length: 3 }, (_, n) => `svc stream of a job ${n + 1}`);

interface SeatedRun {
  signal: AbortSignal;
  /**
   * Holds a stream until the signal is aborted, because the page is hidden or the stream is no
   * longer needed. True = nothing more comes.
   */
  run(until: AbortSignal): Promise<boolean>;
  /** Called when all seats are taken by other tabs, and when that is over. */
  waits(waiting: boolean): void;
}

const isVisible = (): boolean => document.visibilityState === 'visible';

/** Aborted as soon as the page is hidden, or `signal` is. */
function createHiddenSignal(signal: AbortSignal): AbortSignal {
  const hiding = new AbortController();
  const look = () => !isVisible() && hiding.abort();
  document.addEventListener('visibilitychange', look, {
    signal: AbortSignal.any([signal, hiding.signal]),
  });
  return AbortSignal.any([signal, hiding.signal]);
}

/** Resolves as soon as the page is seen, or `signal` is aborted. */
const waitUntilSeen = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const ending = new AbortController();
    const look = () => {
      if (!isVisible() && !signal.aborted) return;
      ending.abort();
      resolve();
    };
    document.addEventListener('visibilitychange', look, { signal: ending.signal });
    signal.addEventListener('abort', look, { signal: ending.signal });
    look();
  });

/** Runs on the first seat that is free; false where none was free until the page was hidden. */
async function runOnFreeSeat(
  locks: LockManager,
  until: AbortSignal,
  { run, waits }: SeatedRun,
): Promise<boolean> {
  for (const seat of SEATS) {
    const seatResult = await locks.request(
      seat,
      { ifAvailable: true },
      async (lock) => lock && { over: await run(until) },
    );
    if (seatResult) return seatResult.over;
  }
  waits(true);
  const abortController = new AbortController();
  const queue = { signal: AbortSignal.any([until, abortController.signal]) };
  let currentRun: Promise<boolean> | undefined;
  const turns = SEATS.map((seat) =>
    locks.request(seat, queue, async () => {
      if (abortController.signal.aborted || until.aborted) return;
      abortController.abort();
      waits(false);
      currentRun = run(until);
      await currentRun.catch(() => {});
    }),
  );
  await Promise.allSettled(turns);
  waits(false);
  return (await currentRun) ?? false;
}

/**
 * Runs whenever the page is seen and a seat is free, until `run` says that nothing more is to come
 * or the signal is aborted.
 *
 * @throws what `run` throws
 */
export async function runWhileSeated(options: SeatedRun): Promise<void> {
  const { signal, run } = options;
  const { locks } = navigator as { locks?: LockManager };
  for (let over = false; !over; ) {
    await waitUntilSeen(signal);
    if (signal.aborted) return;
    const until = createHiddenSignal(signal);
    // A page that came over plain HTTP from another machine has no locks.
    over = locks ? await runOnFreeSeat(locks, until, options) : await run(until);
  }
}

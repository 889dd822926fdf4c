import type { KernelUse } from '../../contract/records/kernelHandle.ts';

/**
 * Resolves once an actor has left a state that it is about to enter, or after `waitMs`. To be asked
 * before the event that moves it; `stop` ends the waiting.
 */
export function watchUntilMoved(
  kernel: Pick<KernelUse, 'onCommit'>,
  actorId: string,
  state: string,
  waitMs: number,
): { out: Promise<void>; stop(): void } {
  let stop = (): void => {};
  const out = new Promise<void>((resolve) => {
    const unsubscribe = kernel.onCommit(({ steps }) => {
      const left = steps.some(
        ({ id, before, after }) =>
          id === actorId && before?.value === state && after.value !== state,
      );
      if (left) stop();
    });
    const timer = setTimeout(() => stop(), waitMs);
    stop = () => {
      unsubscribe();
      clearTimeout(timer);
      resolve();
    };
  });
  return { out, stop: () => stop() };
}

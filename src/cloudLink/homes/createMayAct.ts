import type { MayAct } from '../../base/concurrency/mayAct.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { Lease, LeaseClocks } from './lease.ts';
import type { WatchedLog } from './watchedLog.ts';

/**
 * After a wait of this length a write begins again, ms: what it checked before, such as the approvals of a merge, is
 * too old by then.
 */
export const STALE_AFTER_MS = 60_000;

interface ActingHome {
  log: Pick<WatchedLog, 'awaitAcknowledged'>;
  lease: Pick<Lease, 'isHeld' | 'awaitRenewal'>;
  clocks: Pick<LeaseClocks, 'boot'>;
}

/**
 * Lets writes to the world through while this runner holds its home: first the control plane must have all that was
 * decided so far, so that no merge rests on an approval that only this disk has; then the lease must last.
 */
export const createMayAct = ({ log, lease, clocks }: ActingHome): MayAct => {
  const wait = async (signal: AbortSignal | undefined): Promise<void> => {
    const began = clocks.boot();
    do {
      await untilAborted(log.awaitAcknowledged(), signal);
      if (!lease.isHeld) await untilAborted(lease.awaitRenewal(), signal);
    } while (!lease.isHeld);
    if (clocks.boot() - began > STALE_AFTER_MS)
      throw new SvcError(
        'unreachable',
        'The control plane did not answer for too long, so this was not sent. It begins again.',
        { data: { sent: false } },
      );
  };
  return (signal) =>
    log.awaitAcknowledged() === undefined && lease.isHeld ? undefined : wait(signal);
};

/** Waits, but not beyond the signal. Throws SvcError `stopping`. */
async function untilAborted(
  promise: Promise<unknown> | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (promise === undefined) return;
  if (signal === undefined) return void (await promise);
  let end = (): void => {};
  const aborting = new Promise<void>((resolve) => {
    end = resolve;
  });
  if (!signal.aborted) signal.addEventListener('abort', end, { once: true });
  await (signal.aborted ? undefined : Promise.race([promise, aborting]));
  signal.removeEventListener('abort', end);
  if (signal.aborted)
    throw new SvcError('stopping', 'The runner is stopping; this was not sent.', {
      data: { sent: false },
    });
}

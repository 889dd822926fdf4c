import type { MayAct } from '../../base/concurrency/mayAct.ts';
import type { Clock } from '../../base/time/clock.ts';
import { createMayAct } from './createMayAct.ts';
import type { Lease, LeaseClocks } from './lease.ts';
import { type WatchableLog, WatchedLog } from './watchedLog.ts';

interface HeldHomeOptions {
  log: WatchableLog;
  lease: Lease;
  clocks: LeaseClocks;
  clock: Pick<Clock, 'now'>;
  onAcknowledged(): void;
}

/** A home whose log the control plane has, and whether its runner may act for it. */
export class HeldHome {
  /** What the store is given. */
  readonly log: WatchedLog;
  readonly mayAct: MayAct;

  constructor({ log, lease, clocks, clock, onAcknowledged }: HeldHomeOptions) {
    this.log = new WatchedLog(log, clock, onAcknowledged);
    this.mayAct = createMayAct({ log: this.log, lease, clocks });
  }
}

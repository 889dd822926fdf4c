import type { Clock } from '../../base/time/clock.ts';
import { HeldHome } from './heldHome.ts';
import { Lease } from './lease.ts';
import { machineClocks } from './machineClocks.ts';
import type { WatchableLog, WatchedLog } from './watchedLog.ts';

/** Whether the runner of a home may act for it, from one log to the next. */
export class ActingHome {
  readonly lease = new Lease(machineClocks);
  /** The control plane has something that waited. */
  onAcknowledged: () => void = () => undefined;
  #held: HeldHome | null = null;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** null = no log was held yet. */
  get held(): HeldHome | null {
    return this.#held;
  }

  /** Watches a log; the store is given what this returns. */
  hold(log: WatchableLog): WatchedLog {
    this.#held = new HeldHome({
      log,
      lease: this.lease,
      clocks: machineClocks,
      clock: this.#clock,
      onAcknowledged: () => this.onAcknowledged(),
    });
    return this.#held.log;
  }
}

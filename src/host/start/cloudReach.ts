import { Backlog } from '../../base/concurrency/backlog.ts';
import type { MayAct } from '../../base/concurrency/mayAct.ts';
import type { Clock } from '../../base/time/clock.ts';
import { SvcError } from '../../base/errors/errors.ts';
import { toIsoTime, toIsoTimeOrNull } from '../../base/time/toIsoTime.ts';
import type { ActingHome } from '../../cloudLink/homes/actingHome.ts';
import type { HeldHome } from '../../cloudLink/homes/heldHome.ts';
import { AWAY_AFTER_MS, type CloudStatus } from '../../contract/schema/runner/cloudStatus.ts';
import type { HomeLogStatus } from './homes/pairedHomeOptions.ts';

type Connection = CloudStatus['connection'];

/** What counts of a home that is paired. */
export interface PairedPart {
  readonly status: Pick<HomeLogStatus, 'state'>;
  readonly acting: Pick<ActingHome, 'held'>;
}

interface CloudReachOptions {
  clock: Pick<Clock, 'now'>;
  /** The home as its control plane has it; null = it is local. */
  home(): PairedPart | null;
  /** How many submissions wait for their commit. */
  countWaiting(): number;
}

/** Whether the control plane of a runner answers, what waits for it, and whether the runner may act meanwhile. */
export class CloudReach {
  readonly backlog: Backlog;
  readonly #options: CloudReachOptions;
  #connection: Connection = 'connecting';
  #since: number;
  #problem: string | null = null;
  /** Why nothing more goes out; null = it may. */
  #ended: SvcError | null = null;

  constructor(options: CloudReachOptions) {
    this.#options = options;
    this.#since = options.clock.now();
    this.backlog = new Backlog(() => {
      const home = this.#held;
      return home && { changes: options.countWaiting(), bytes: home.log.bytes };
    });
  }

  /** See {@link MayAct}; a home that the control plane does not have cannot be taken over. */
  readonly mayAct: MayAct = (signal) => {
    if (this.#ended !== null) return Promise.reject(this.#ended);
    return this.#held?.mayAct(signal);
  };

  /** Since when the control plane has not answered, epoch ms; null = it does, or nothing has to wait for it. */
  readonly getAwaySince = (): number | null => {
    const home = this.#held;
    if (home === null) return null;
    const now = this.#options.clock.now();
    const lostSince = this.#connection === 'connected' ? null : this.#since;
    const outageStarts = [lostSince, home.log.waitsSince].filter(
      (since) => since !== null && now - since >= AWAY_AFTER_MS,
    ) as number[];
    return outageStarts.length === 0 ? null : Math.min(...outageStarts);
  };

  /** The connection is tried again and again: only another outcome is news. */
  connectionIs(connection: Connection, problem: string | null): void {
    if (connection !== this.#connection) this.#since = this.#options.clock.now();
    this.#connection = connection;
    this.#problem = problem;
  }

  /** Another control plane, or none: what is known of the one before counts no more. */
  begin(): void {
    this.#since = this.#options.clock.now();
    this.#connection = 'connecting';
    this.#problem = null;
  }

  /** The log of the home has ended: nothing more goes out of this runner. `holder`: who continues the jobs. */
  end(holder: string | null): void {
    this.#ended = new SvcError(
      'home-claimed',
      holder === null
        ? 'The control plane has another history of this home.'
        : `The runner ${holder} continues the jobs of this home.`,
    );
  }

  get #held(): HeldHome | null {
    const home = this.#options.home();
    // One that is still copied waits for nothing, and no other runner could continue it.
    return home?.status.state === 'logged' ? home.acting.held : null;
  }

  describe(): Pick<CloudStatus, 'connection' | 'since' | 'problem' | 'state'> {
    return {
      connection: this.#connection,
      since: toIsoTime(this.#since),
      problem: this.#problem,
      state: this.#describeState(),
    };
  }

  #describeState(): CloudStatus['state'] {
    if (this.#options.home()?.status.state === 'seeding')
      return { place: 'seeding', changes: 0, since: null };
    if (this.#held === null) return { place: 'runner', changes: 0, since: null };
    const since = this.getAwaySince();
    return {
      place: since === null ? 'replicated' : 'waiting',
      changes: this.backlog.changes,
      since: toIsoTimeOrNull(since),
    };
  }
}

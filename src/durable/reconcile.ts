import type { Mail } from './mail.ts';
import type { Outbox } from './outbox.ts';
import type { Timers } from './timers.ts';
import type { Report, Submit } from './work.ts';
import type { KernelClock } from './contract.ts';
import type { Batch, DurableStore } from './writer.ts';

/** Wait before the store is asked what became of a commit that failed, ms. */
const AGAIN_MS = 1_000;

export interface ReconcileScope {
  store: DurableStore;
  outbox: Outbox;
  mail: Mail;
  timers: Timers;
  clock: KernelClock;
  submit: Submit;
  report: Report;
}

/**
 * A commit that failed may have been written all the same: its answer was lost, or a disk that
 * refused it took it later. Its effects, messages and timers are then in the store and no one has
 * begun them. They are looked for as soon as a commit succeeds again.
 */
export class Reconcile {
  readonly #scope: ReconcileScope;
  #isInDoubt = false;
  #isActive = false;
  #cancel = () => {};

  constructor(scope: ReconcileScope) {
    this.#scope = scope;
  }

  /** What was pending at the start of the kernel has begun: from now on, what is not known is left over. */
  start(): void {
    this.#isActive = true;
  }

  /** A commit has failed. */
  failed(): void {
    this.#isInDoubt = true;
    this.#ask();
  }

  /**
   * A commit of this kernel is on the disk and no other is under way. Called before what it asks for is begun:
   * messages of one sender keep their order.
   */
  committed(batch: Batch): void {
    if (!this.#isInDoubt || !this.#isActive) return;
    const { store, outbox, mail, timers, report } = this.#scope;
    try {
      outbox.adopt(store.pendingEffects(), batch.outboxPut);
      mail.adopt(store.pendingMail(), batch.mailPut);
    } catch (error) {
      report('what a failed commit may have left', error);
      this.#ask();
      return;
    }
    this.#isInDoubt = false;
    this.#cancel();
    void timers.fire();
  }

  stop(): void {
    this.#isActive = false;
    this.#cancel();
  }

  /** By a commit of its own, in case nothing else is written for long. */
  #ask(): void {
    if (!this.#isActive) return;
    const { clock, submit } = this.#scope;
    this.#cancel();
    this.#cancel = clock.at(clock.now() + AGAIN_MS, () => {
      submit({ proves: true }).catch(() => {});
    });
  }
}

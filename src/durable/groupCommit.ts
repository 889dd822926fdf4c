import type { CommitNotice, KernelClock, Submitted } from './contract.ts';
import { KernelError } from './contract.ts';
import { Group, type GroupScope } from './group.ts';
import type { Ledger } from './ledger.ts';
import { textOf, type Work } from './work.ts';
import type { Batch, OutboxRow } from './writer.ts';

/** Most works in one transaction: bounds how long a storm keeps the event loop busy in one go. */
export const MAX_GROUP = 1_000;

/** What a commit has brought about. */
export interface Committed {
  batch: Batch;
  notice: CommitNotice;
  /** Effects to start now. */
  effects: OutboxRow[];
}

interface Ticket {
  work: Work;
  resolve: (submitted: Submitted) => void;
  reject: (error: KernelError) => void;
}

/**
 * Collects work and writes it in groups, one at a time: while a commit is in flight nothing steps,
 * so nothing is ever derived from a snapshot that is not in the store.
 */
export class GroupCommit {
  /** Fencing number of `store.claim()`; nothing is written without one. */
  generation = 0;
  readonly #scope: GroupScope;
  readonly #clock: KernelClock;
  readonly #defer: (flush: () => void) => void;
  readonly #committed: (committed: Committed) => void;
  #queue: Ticket[] = [];
  #scheduled = false;
  #committing = false;
  #idle: (() => void)[] = [];

  constructor(
    scope: GroupScope,
    clock: KernelClock,
    defer: (flush: () => void) => void,
    committed: (committed: Committed) => void,
  ) {
    this.#scope = scope;
    this.#clock = clock;
    this.#defer = defer;
    this.#committed = committed;
  }

  submit(work: Work): Promise<Submitted> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ work, resolve, reject });
      this.#schedule();
    });
  }

  flushed(): Promise<void> {
    if (this.#queue.length === 0 && !this.#committing) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  #schedule(): void {
    if (this.#scheduled || this.#committing || this.#queue.length === 0) return;
    this.#scheduled = true;
    this.#defer(() => {
      this.#scheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    const tickets = this.#queue.splice(0, MAX_GROUP);
    if (tickets.length === 0) return;
    let done: () => void;
    let writing: undefined | Promise<undefined>;
    try {
      const { ledger, batch, answers } = this.#apply(tickets);
      done = () => this.#done(ledger, batch, answers);
      // A group that contains only refusals has nothing to write.
      if (!ledger.empty) writing = this.#scope.store.commit(batch);
    } catch (error) {
      this.#failed(tickets, error);
      return;
    }
    if (writing) {
      this.#committing = true;
      writing.then(done, (error: unknown) => this.#failed(tickets, error));
    } else {
      done();
    }
  }

  #apply(tickets: Ticket[]): { ledger: Ledger; batch: Batch; answers: (() => void)[] } {
    const now = this.#clock.now();
    // Contexts are measured once per actor; only where one is too large is the group applied again,
    // step by step.
    for (const strict of [false, true]) {
      const group = new Group(this.#scope, now, strict);
      const answers = tickets.map(({ work, resolve, reject }) => {
        const { submitted, failed } = group.apply(work);
        return () => (failed ? reject(failed) : resolve(submitted));
      });
      group.follow();
      const batch = group.ledger.batch(this.generation);
      if (batch) return { ledger: group.ledger, batch, answers };
    }
    throw new Error('A context is too large although every step of it was measured');
  }

  #done(ledger: Ledger, batch: Batch, answers: (() => void)[]): void {
    this.#committing = false;
    for (const row of batch.actors) {
      const draft = ledger.drafts.get(row.id);
      if (draft?.stepped) this.#scope.hot.stepped(row, draft.stepped.snapshot, draft.stepped.state);
      else if (draft?.base) this.#scope.hot.put(draft.base.renewed(row));
    }
    for (const answer of answers) answer();
    this.#committed({ batch, notice: ledger.notice, effects: ledger.newEffects });
    this.#settle();
  }

  #failed(tickets: Ticket[], error: unknown): void {
    this.#committing = false;
    // It is unknown whether anything was written (an answer may have been lost): only the store
    // knows.
    this.#scope.hot.clear();
    const failure = new KernelError(
      'commit-failed',
      `The state could not be written: ${textOf(error)}`,
      error,
    );
    for (const { reject } of tickets) reject(failure);
    this.#settle();
  }

  #settle(): void {
    this.#schedule();
    if (this.#queue.length > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}

import { KernelError, type KernelClock, type SubmitResult } from './contract.ts';
import { DoubtfulCommits } from './doubtfulCommits.ts';
import { Group, type GroupScope } from './group.ts';
import type { Ledger } from './ledger.ts';
import {
  isOfRows,
  type RefusedRows,
  createRowsRefusal,
  stripRefusedRows,
} from './stripRefusedRows.ts';
import { type CommittedWork, readThrownMessage, type Work } from './work.ts';
import type { Batch } from './writer.ts';

/** Most works in one transaction: bounds how long a storm keeps the event loop busy at once. */
export const MAX_GROUP = 1_000;
/** From this many works on, the next group is stepped while the disk writes this one. */
export const OVERLAP_FROM = 16;
/** From this many works on, one queue becomes two groups. */
export const HALVE_FROM = 64;
/** Most groups in progress: one being written, and one that waits and grows meanwhile. */
const MAX_UNDER_WAY = 2;

/** Wait before the store is asked about a failed commit's outcome, ms. */
const AGAIN_MS = 1_000;

/** Why a group without anything to write fails. */
const BEFORE_IT = new Error('the commit before it failed');

interface Ticket {
  work: Work;
  /** Most works in its group, after the store refused one; undefined = any number. */
  most?: number;
  /** It carries what can still be committed of a refused work. */
  isRest?: boolean;
  resolve: (submitted: SubmitResult) => void;
  reject: (error: KernelError) => void;
}

/** A stepped group that is not answered yet. */
interface UnderWay {
  tickets: Ticket[];
  answers: (() => void)[];
  /** Undefined = it could not be stepped. */
  committed: CommittedWork | undefined;
  /** `nothing` = nothing to write; undefined = not known yet. */
  outcome: 'written' | 'nothing' | { error: unknown; isInDoubt: boolean } | undefined;
}

/**
 * Collects work and writes it in groups. `commit` returns once the store can read the batch, so the
 * next group can be stepped and written while the disk is still busy. Groups are answered in order.
 * After a failure nothing is stepped until the groups behind it have ended too.
 */
export class GroupCommit {
  /** Fencing number of `store.claim()`; without it nothing is written. */
  generation = 0;
  readonly #scope: GroupScope;
  readonly #clock: KernelClock;
  readonly #defer: (flush: () => void) => void;
  readonly #onCommitted: (work: CommittedWork) => void;
  readonly #doubt: DoubtfulCommits;
  #queue: Ticket[] = [];
  #scheduled = false;
  #underWay: UnderWay[] = [];
  /** A group in progress failed because of the store, or because of one work's rows. */
  #failure: 'of store' | 'of rows' | undefined;
  /** Works of failed groups, to be applied again before others. */
  #again: Ticket[] = [];
  /** The last group waited for the disk while nothing was stepped. */
  #waitedAlone = false;
  #idle: (() => void)[] = [];
  #cancelAgain = () => {};
  #hasStopped = false;

  constructor(
    scope: GroupScope,
    clock: KernelClock,
    defer: (flush: () => void) => void,
    notify: (committed: CommittedWork) => void,
  ) {
    this.#scope = scope;
    this.#clock = clock;
    this.#defer = defer;
    this.#onCommitted = notify;
    this.#doubt = new DoubtfulCommits(scope.store);
  }

  submit(work: Work): Promise<SubmitResult> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ work, resolve, reject });
      this.#schedule();
    });
  }

  awaitFlushed(): Promise<void> {
    if (this.#queue.length === 0 && this.#underWay.length === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /** How many works are not answered yet. */
  get waiting(): number {
    return this.#underWay.reduce((sum, { tickets }) => sum + tickets.length, this.#queue.length);
  }

  /** Rejects what is not answered: no one waits for it any more. It may be written all the same. */
  stop(): void {
    this.#hasStopped = true;
    this.#cancelAgain();
    const unansweredTickets = [
      ...this.#underWay.splice(0).flatMap(({ tickets }) => tickets),
      ...this.#again.splice(0),
      ...this.#queue.splice(0),
    ];
    for (const { reject } of unansweredTickets)
      reject(new KernelError('stopping', 'The kernel stopped before the commit was acknowledged'));
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  get #isHeldUp(): boolean {
    return this.#failure !== undefined || this.#underWay.length >= MAX_UNDER_WAY;
  }

  #schedule(): void {
    if (this.#scheduled || this.#isHeldUp || this.#queue.length === 0) return;
    this.#scheduled = true;
    this.#defer(() => {
      this.#scheduled = false;
      this.#flush();
    });
  }

  /**
   * How many works the next group takes: all that wait. If work comes in one wave, because all of
   * it was answered together, half goes first and the halves then alternate.
   */
  #size(): number {
    const [first] = this.#queue;
    if (first?.most !== undefined) return this.#sizeAgain(first.most);
    const waiting = this.#queue.length;
    const isWave = waiting >= HALVE_FROM && this.#waitedAlone && this.#underWay.length === 0;
    return Math.min(isWave ? Math.ceil(waiting / 2) : waiting, MAX_GROUP);
  }

  /** How many of the first works are retried together: a halved group, as far as queued. */
  #sizeAgain(most: number): number {
    const end = this.#queue.findIndex((ticket) => ticket.most !== most);
    return Math.min(most, end === -1 ? this.#queue.length : end);
  }

  #flush(): void {
    if (this.#isHeldUp || this.#hasStopped) return;
    const tickets = this.#queue.splice(0, this.#size());
    if (tickets.length === 0) return;
    const group: UnderWay = { tickets, answers: [], committed: undefined, outcome: undefined };
    this.#underWay.push(group);
    try {
      this.#settleDoubt();
      const { ledger, batch, answers } = this.#apply(tickets);
      group.answers = answers;
      group.committed = { batch, notice: ledger.notice, effects: ledger.newEffects };
      if (ledger.empty) {
        // The group contains only refusals.
        group.outcome = 'nothing';
      } else {
        const writing = this.#scope.store.commit(batch, tickets.length >= OVERLAP_FROM);
        this.#acceptBatch(ledger, batch);
        if (writing) {
          writing.then(
            () => this.#noteOutcome(group, 'written'),
            (error: unknown) => this.#noteOutcome(group, { error, isInDoubt: true }),
          );
          this.#schedule();
          return;
        }
        group.outcome = 'written';
      }
    } catch (error) {
      group.outcome = { error, isInDoubt: false };
    }
    this.#answer();
  }

  /** Handles commits reported as failed but written, before anything is stepped. */
  #settleDoubt(): void {
    if (this.#doubt.isEmpty) return;
    let committedWorks: CommittedWork[];
    try {
      committedWorks = this.#doubt.settle();
    } catch {
      // Then nothing can be stepped either.
      this.#askAgain();
      return;
    }
    this.#cancelAgain();
    for (const work of committedWorks) this.#onCommitted(work);
  }

  #apply(tickets: Ticket[]): { ledger: Ledger; batch: Batch; answers: (() => void)[] } {
    const now = this.#clock.now();
    // Measures contexts once per actor; a group with one too large is applied again, step by step.
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

  /** The store has the batch, so later steps build on it. */
  #acceptBatch({ drafts }: Ledger, batch: Batch): void {
    const { hot } = this.#scope;
    for (const row of batch.actors) {
      const draft = drafts.get(row.id);
      if (draft?.stepped) hot.keepStepped(row, draft.stepped.snapshot, draft.stepped.state);
      else if (draft?.base) hot.put(draft.base.withRow(row));
    }
  }

  #noteOutcome(group: UnderWay, outcome: UnderWay['outcome']): void {
    if (this.#hasStopped) return;
    group.outcome = outcome;
    this.#waitedAlone = this.#underWay.length === 1;
    this.#answer();
  }

  /** In case nothing else is submitted for long. */
  #askAgain(): void {
    this.#cancelAgain();
    this.#cancelAgain = this.#clock.at(this.#clock.now() + AGAIN_MS, () => {
      this.submit({}).catch(() => {});
    });
  }

  #answer(): void {
    for (let group = this.#underWay[0]; group?.outcome; group = this.#underWay[0]) {
      this.#underWay.shift();
      const { outcome } = group;
      if (typeof outcome === 'object') this.#failAll(group, outcome.error, outcome.isInDoubt);
      // The failure may have caused the refusals.
      else if (outcome === 'nothing' && this.#failure !== undefined)
        this.#failAll(group, BEFORE_IT, false);
      else this.#answerAll(group);
    }
    if (this.#underWay.length === 0) {
      this.#failure = undefined;
      this.#queue.unshift(...this.#again.splice(0));
    }
    this.#schedule();
    if (this.#queue.length > 0 || this.#underWay.length > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  #answerAll({ answers, committed }: UnderWay): void {
    // An earlier failed group is in the store too, and its effects come first.
    this.#settleDoubt();
    for (const answer of answers) answer();
    if (committed) this.#onCommitted(committed);
  }

  #failAll({ tickets, committed }: UnderWay, error: unknown, isInDoubt: boolean): void {
    this.#failure ??= isOfRows(error) ? 'of rows' : 'of store';
    // The answer may have been lost, so only the store knows whether anything was written.
    this.#scope.hot.clear();
    if (this.#failure === 'of rows') {
      // Groups behind it were stepped from an unwritten state; they are retried.
      if (isOfRows(error)) this.#halve(tickets, error);
      else this.#again.push(...tickets);
      return;
    }
    if (isInDoubt && committed) {
      this.#doubt.add(committed);
      this.#askAgain();
    }
    const failure = new KernelError(
      'commit-failed',
      `The state could not be written: ${readThrownMessage(error)}`,
      error,
    );
    for (const { reject } of tickets) reject(failure);
  }

  /** Isolates the refused work so that its neighbours are written without it. */
  #halve(tickets: readonly Ticket[], error: RefusedRows): void {
    const [only] = tickets;
    if (only !== undefined && tickets.length === 1) {
      this.#refuse(only, error);
      return;
    }
    const most = Math.ceil(tickets.length / 2);
    this.#again.push(...tickets.map((ticket) => ({ ...ticket, most })));
  }

  #refuse({ work, reject, isRest = false }: Ticket, error: RefusedRows): void {
    const refusal = createRowsRefusal(readThrownMessage(error));
    const answer = () => reject(refusal);
    if (isRest) answer();
    else
      this.#again.push({
        work: stripRefusedRows(work, refusal),
        resolve: answer,
        reject: answer,
        most: 1,
        isRest: true,
      });
  }
}

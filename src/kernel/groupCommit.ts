import type { KernelClock, Submitted } from './contract.ts';
import { KernelError } from './contract.ts';
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

/** Most works in one transaction: bounds how long a storm keeps the event loop busy in one go. */
export const MAX_GROUP = 1_000;
/** From this many works on, the next group is stepped while the disk takes this one. */
export const OVERLAP_FROM = 16;
/** From this many works on, a queue becomes two groups where it was one before. */
export const HALVE_FROM = 64;
/** Most groups under way: one that the disk takes, and one that waits for it and grows until then. */
const MAX_UNDER_WAY = 2;

/** Wait before the store is asked about the outcome of a commit that failed, ms. */
const AGAIN_MS = 1_000;

/** Why a group fails that had nothing to write. */
const BEFORE_IT = new Error('the commit before it failed');

interface Ticket {
  work: Work;
  /** Most works of its group; undefined = any number. It was in one that the store refused. */
  most?: number;
  /** It carries what can still be committed of a work that the store refused. */
  isRest?: boolean;
  resolve: (submitted: Submitted) => void;
  reject: (error: KernelError) => void;
}

/** A group that has been stepped, until its turn to be answered. */
interface UnderWay {
  tickets: Ticket[];
  answers: (() => void)[];
  /** Undefined: it could not be stepped. */
  committed: CommittedWork | undefined;
  /** `nothing` = there was nothing to write. Undefined: not known yet. */
  outcome: 'written' | 'nothing' | { error: unknown; isInDoubt: boolean } | undefined;
}

/**
 * Collects work and writes it in groups. A group is stepped from what the store has: the store takes
 * a batch before `commit` returns, and what may be left is to wait for the disk. Meanwhile the next
 * group is stepped and written. They are answered in their order. After one that has failed, nothing
 * is stepped until those behind it have ended too.
 */
export class GroupCommit {
  /** Fencing number of `store.claim()`; nothing is written without one. */
  generation = 0;
  readonly #scope: GroupScope;
  readonly #clock: KernelClock;
  readonly #defer: (flush: () => void) => void;
  readonly #committed: (committed: CommittedWork) => void;
  readonly #doubt: DoubtfulCommits;
  #queue: Ticket[] = [];
  #scheduled = false;
  #underWay: UnderWay[] = [];
  /** One of those under way has failed: the store, or rows of one work alone. */
  #failure: 'of store' | 'of rows' | undefined;
  /** Works of groups that have failed because of one of them: they are applied again, before others. */
  #again: Ticket[] = [];
  /** The last group that waited for the disk did so alone: nothing was stepped meanwhile. */
  #waitedAlone = false;
  #idle: (() => void)[] = [];
  #cancelAgain = () => {};

  constructor(
    scope: GroupScope,
    clock: KernelClock,
    defer: (flush: () => void) => void,
    committed: (committed: CommittedWork) => void,
  ) {
    this.#scope = scope;
    this.#clock = clock;
    this.#defer = defer;
    this.#committed = committed;
    this.#doubt = new DoubtfulCommits(scope.store);
  }

  submit(work: Work): Promise<Submitted> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ work, resolve, reject });
      this.#schedule();
    });
  }

  flushed(): Promise<void> {
    if (this.#queue.length === 0 && this.#underWay.length === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Nothing is asked of the store any more. */
  stop(): void {
    this.#cancelAgain();
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
   * Works of the next group: all that wait. Where work comes in one wave, because all of it was
   * answered together, half of it goes first, and from then on the two halves take turns.
   */
  #size(): number {
    const [first] = this.#queue;
    if (first?.most !== undefined) return this.#sizeAgain(first.most);
    const waiting = this.#queue.length;
    const isWave = waiting >= HALVE_FROM && this.#waitedAlone && this.#underWay.length === 0;
    return Math.min(isWave ? Math.ceil(waiting / 2) : waiting, MAX_GROUP);
  }

  /** How many of the first works are tried again together: a halved group, as far as it is queued. */
  #sizeAgain(most: number): number {
    const end = this.#queue.findIndex((ticket) => ticket.most !== most);
    return Math.min(most, end === -1 ? this.#queue.length : end);
  }

  #flush(): void {
    if (this.#isHeldUp) return;
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
        // It contains only refusals.
        group.outcome = 'nothing';
      } else {
        const writing = this.#scope.store.commit(batch, tickets.length >= OVERLAP_FROM);
        this.#taken(ledger, batch);
        if (writing) {
          writing.then(
            () => this.#ended(group, 'written'),
            (error: unknown) => this.#ended(group, { error, isInDoubt: true }),
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

  /** What follows from commits that were called failed and were written, before anything is stepped. */
  #settleDoubt(): void {
    if (this.#doubt.isEmpty) return;
    let written: CommittedWork[];
    try {
      written = this.#doubt.settled();
    } catch {
      // Nothing can be stepped then either.
      this.#askAgain();
      return;
    }
    this.#cancelAgain();
    for (const committed of written) this.#committed(committed);
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

  /** The store has the batch: from now on it is what is stepped from. */
  #taken({ drafts }: Ledger, batch: Batch): void {
    const { hot } = this.#scope;
    for (const row of batch.actors) {
      const draft = drafts.get(row.id);
      if (draft?.stepped) hot.stepped(row, draft.stepped.snapshot, draft.stepped.state);
      else if (draft?.base) hot.put(draft.base.renewed(row));
    }
  }

  #ended(group: UnderWay, outcome: UnderWay['outcome']): void {
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

  /** Answers the groups whose outcome is known, in their order. */
  #answer(): void {
    for (let group = this.#underWay[0]; group?.outcome; group = this.#underWay[0]) {
      this.#underWay.shift();
      const { outcome } = group;
      if (typeof outcome === 'object') this.#failed(group, outcome.error, outcome.isInDoubt);
      // What it refused may have been refused because of what has failed.
      else if (outcome === 'nothing' && this.#failure !== undefined)
        this.#failed(group, BEFORE_IT, false);
      else this.#done(group);
    }
    if (this.#underWay.length === 0) {
      this.#failure = undefined;
      this.#queue.unshift(...this.#again.splice(0));
    }
    this.#schedule();
    if (this.#queue.length > 0 || this.#underWay.length > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  #done({ answers, committed }: UnderWay): void {
    // One that failed before it is in the store too, and what it asked for comes first.
    this.#settleDoubt();
    for (const answer of answers) answer();
    if (committed) this.#committed(committed);
  }

  #failed({ tickets, committed }: UnderWay, error: unknown, isInDoubt: boolean): void {
    this.#failure ??= isOfRows(error) ? 'of rows' : 'of store';
    // It is unknown whether anything was written (an answer may have been lost): only the store
    // knows.
    this.#scope.hot.clear();
    if (this.#failure === 'of rows') {
      // The groups behind it were stepped from a state that was not written; they are tried again.
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

  /** Finds the work that is refused: its neighbours are written without it. */
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

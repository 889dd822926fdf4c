import type { CommitPlace } from '../../base/settings/commitPlaces.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { Batch, ActorRow, ReceivedRow } from '../writer.ts';
import type { Database } from './database.ts';
import { refuseNewerOwner, OWNER } from './refuseNewerOwner.ts';
import type { Statements } from './thread/statements.ts';
import type { WriterThread } from './thread/writerThread.ts';

/** Commits per check. */
export const WINDOW = 64;
/** How many of their waits are shorter than the deciding one. */
export const SHORTER = 3;
/** From this wait on, another thread is worth it, ms. */
export const SLOW_MS = 2;
/** Up to this wait it is not, ms. In between nothing changes. */
export const FAST_MS = 0.5;

/** Where commits wait now, and the wait that decided it, ms. */
export interface PaceChange {
  place: 'inline' | 'thread';
  ms: number;
}

/**
 * Chooses where commits wait for the disk, by one of the shortest waits: long ones may be
 * checkpoints, large groups or a busy processor, and the shortest may have been synced by another
 * write.
 */
export class CommitPace {
  readonly #isAuto: boolean;
  readonly #onChange: (change: PaceChange) => void;
  #place: PaceChange['place'];
  #waits: number[] = [];

  constructor(wish: CommitPlace, onChange: (change: PaceChange) => void = () => {}) {
    this.#isAuto = wish === 'auto';
    this.#place = wish === 'thread' ? 'thread' : 'inline';
    this.#onChange = onChange;
  }

  get place(): PaceChange['place'] {
    return this.#place;
  }

  noteWait(ms: number): void {
    if (!this.#isAuto) return;
    this.#waits.push(ms);
    if (this.#waits.length < WINDOW) return;
    const short = this.#waits.sort((a, b) => a - b)[SHORTER] ?? 0;
    this.#waits = [];
    const place = short >= SLOW_MS ? 'thread' : short <= FAST_MS ? 'inline' : this.#place;
    if (place === this.#place) return;
    this.#place = place;
    this.#onChange({ place, ms: short });
  }
}

const toUnderWayKey = (actor: string, source: string, externalId: string): string =>
  JSON.stringify([actor, source, externalId]);

/** What every step asks for from unwritten batches: actors and received deliveries. */
class UnderWay {
  readonly #actors = new Map<string, ActorRow>();
  readonly #received = new Map<string, ReceivedRow>();

  add({ actors, inbox }: Batch): void {
    for (const actor of actors) this.#actors.set(actor.id, actor);
    for (const row of inbox)
      this.#received.set(toUnderWayKey(row.actor, row.source, row.externalId), row);
  }

  /** The batch is in the database. */
  forget({ actors, inbox }: Batch): void {
    // A later batch may have the same actor.
    for (const actor of actors)
      if (this.#actors.get(actor.id) === actor) this.#actors.delete(actor.id);
    for (const { actor, source, externalId } of inbox)
      this.#received.delete(toUnderWayKey(actor, source, externalId));
  }

  /** After one failure all fail. */
  clear(): void {
    this.#actors.clear();
    this.#received.clear();
  }

  actor(id: string): ActorRow | undefined {
    return this.#actors.get(id);
  }

  findReceived(actor: string, source: string, externalId: string): ReceivedRow | undefined {
    if (this.#received.size === 0) return undefined;
    return this.#received.get(toUnderWayKey(actor, source, externalId));
  }
}

/** Another way for batches than those of `Commits`: that of a home with a log. */
export interface CommitRoute {
  /** The owner's generation; the store claims it. */
  readonly generation: number;
  /** As {@link Commits.write}. */
  write(batch: Batch, write: (to: Statements) => void): undefined | Promise<undefined>;
}

export interface CommitsOptions {
  /** Default inline. A database without a thread always writes in the main one. */
  place?: CommitPlace;
  /** Monotonic ms, for `auto`; default: always 0, as for a fast disk. */
  measureElapsed?(): number;
  /** Called when the place changes; default: nothing. */
  onMove?(change: PaceChange): void;
  /** Called before a batch goes to the thread; default: nothing. */
  onHandOver?(): void;
}

/**
 * Commits the kernel's batches in the main thread or the writing one. `underWay` has what is not
 * yet in the database; all other reads wait.
 */
export class Commits {
  readonly underWay = new UnderWay();
  readonly #db: Database;
  readonly #options: CommitsOptions;
  readonly #place: CommitPlace;
  readonly #pace: CommitPace;
  /** Number of a run of batches without a failure. */
  #run = 1;
  #route: CommitRoute | undefined;

  constructor(db: Database, options: CommitsOptions = {}) {
    this.#db = db;
    this.#options = options;
    this.#place = db.writer ? (options.place ?? 'inline') : 'inline';
    this.#pace = new CommitPace(this.#place, options.onMove);
  }

  /** The generation that a claim takes; undefined = the next one of this file. */
  get generation(): number | undefined {
    return this.#route?.generation;
  }

  /** Waits until the thread has written everything. Throws SvcError `store-failed` if it could not. */
  settle(): void {
    const { writer } = this.#db;
    if (!writer) return;
    writer.settle();
    if (writer.hasFailed(this.#run))
      throw new SvcError('store-failed', `The last commit of ${this.#db.file} failed`);
    this.underWay.clear();
  }

  /** Batches take this way from now on; undefined = that of the options. After `settle`. */
  takeRoute(route: CommitRoute | undefined): void {
    this.#route = route;
  }

  /**
   * Runs the statements of `write` in one transaction. It is durable when this returns or the
   * promise resolves; promises resolve in order. `overlap`: the caller has other work meanwhile.
   * Throws or rejects with SvcError `store-failed`; a rejection also rejects all batches handed
   * over before it.
   */
  write(
    batch: Batch,
    write: (to: Statements) => void,
    overlap = false,
  ): undefined | Promise<undefined> {
    if (this.#route) return this.#route.write(batch, write);
    const { writer } = this.#db;
    if (writer && !this.#isInline(writer, overlap))
      return this.#onThread(writer, batch, write, overlap);
    this.#here(batch, write);
    return undefined;
  }

  #here({ generation }: Batch, write: (to: Statements) => void): void {
    const elapsed = this.#options.measureElapsed ?? (() => 0);
    let began = 0;
    this.#db.transaction(() => {
      refuseNewerOwner(this.#db.get(OWNER), generation);
      write(this.#db);
      began = elapsed();
    }, true);
    this.#pace.noteWait(elapsed() - began);
  }

  #onThread(
    writer: WriterThread,
    batch: Batch,
    write: (to: Statements) => void,
    overlap: boolean,
  ): Promise<undefined> {
    try {
      write(writer.statements);
    } catch (error) {
      writer.statements.drop();
      throw error;
    }
    const run = this.#run;
    this.#options.onHandOver?.();
    const { generation } = batch;
    const writing = writer.write({ generation, run });
    this.underWay.add(batch);
    return writing.then(
      (ms) => {
        this.underWay.forget(batch);
        // A large group's time says nothing about a single event.
        if (!overlap) this.#pace.noteWait(ms);
        return undefined;
      },
      (error: unknown) => {
        if (run === this.#run) {
          this.#run += 1;
          this.underWay.clear();
        }
        throw error;
      },
    );
  }

  #isInline(writer: WriterThread, overlap: boolean): boolean {
    if (this.#place === 'inline' || writer.isLost) return true;
    if (this.#db.isBeingCopied) {
      // A copy restarts whenever another connection writes.
      writer.settle();
      return !writer.hasFailed(this.#run);
    }
    if (this.#place !== 'auto') return false;
    // Batches of the thread are answered before this one.
    if (this.#pace.place === 'inline' && !overlap && !writer.isBusy) return true;
    // Readers would wait for a thread that may never begin.
    return !writer.isReady();
  }
}

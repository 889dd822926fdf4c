import type {
  ActorRow,
  Batch,
  DurableStore,
  FrameRow,
  ReceivedRow,
  JournalRow,
  MailRow,
  OutboxRow,
  TimerRow,
} from '../../src/kernel/writer.ts';
import type { Chance } from './chance.ts';
import { afterCommit } from './invariants.ts';
import type { Life } from './life.ts';

/** Of so many late answers, one says that the commit failed although it was written. */
const LOST = 20;

/** The store of one life: it fails, answers late, and is where most crashes happen. */
export class ShakyStore implements DurableStore {
  readonly #life: Life;
  readonly #chance: Chance;
  readonly #real: DurableStore;

  constructor(life: Life, chance: Chance) {
    this.#life = life;
    this.#chance = chance;
    this.#real = life.world.store.durable;
  }

  commit(batch: Batch): undefined | Promise<undefined> {
    const { world, alive } = this.#life;
    if (!alive) throw new Error('simulated: the process is gone');
    const chance = this.#chance;
    if (!world.stormy) {
      this.#write(batch);
      return undefined;
    }
    if (chance.is(0.85)) return this.#shaky(batch);
    const late = chance.wait(1, 400);
    // Written, and to be read, before it is answered: the store waits for its disk.
    this.#shaky(batch);
    return this.#life.moment(late).then(() => {
      if (late % LOST !== 0) return undefined;
      world.lastStoreFailure = world.clock.now();
      world.note('a commit is written, and called failed');
      throw new Error('simulated: the answer was lost');
    });
  }

  #shaky(batch: Batch): undefined {
    const { world } = this.#life;
    const what = batch.journal.map(({ event }) => event.type).join(' ') || 'no events';
    const fate = this.#chance.int(1, 1000);
    if (fate <= 4) {
      world.note(`crash before the commit of ${what}`);
      this.#life.die();
      throw new Error('simulated: died before the commit');
    }
    if (fate <= 14) {
      world.lastStoreFailure = world.clock.now();
      world.note(`the commit of ${what} fails`);
      throw new Error('simulated: the disk is full');
    }
    this.#write(batch);
    if (fate <= 18) {
      world.note(`crash after the commit of ${what}`);
      this.#life.die();
      throw new Error('simulated: died after the commit');
    }
    return undefined;
  }

  #write(batch: Batch): void {
    const { world } = this.#life;
    const written = world.sabotage(batch);
    try {
      if (this.#real.commit(written))
        throw new Error('the simulation wants a store that writes at once');
    } catch (error) {
      const what = batch.journal.map(({ event }) => event.type).join(' ');
      world.breaks(
        `the store takes every batch of the runner that owns it; it refused (${what}): ${error}`,
      );
      throw error;
    }
    afterCommit(world, written);
  }

  claim(): number {
    return this.#real.claim();
  }
  actor(id: string): ActorRow | undefined {
    return this.#real.actor(id);
  }
  inbox(actor: string, source: string, externalId: string): ReceivedRow | undefined {
    return this.#real.inbox(actor, source, externalId);
  }
  listPendingEffects(): OutboxRow[] {
    return this.#real.listPendingEffects();
  }
  listPendingMail(): MailRow[] {
    return this.#real.listPendingMail();
  }
  timers(limit: number): TimerRow[] {
    return this.#real.timers(limit);
  }
  listTimers(actor: string): TimerRow[] {
    return this.#real.listTimers(actor);
  }
  hasProgressed(actor: string, seq: number): boolean {
    return this.#real.hasProgressed(actor, seq);
  }
  journal(actor: string, after: number, limit: number): JournalRow[] {
    return this.#real.journal(actor, after, limit);
  }
  frames(actor: string, after: number, limit: number): FrameRow[] {
    return this.#real.frames(actor, after, limit);
  }
}

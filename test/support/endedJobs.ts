import type { ActorRow } from '../../src/kernel/writer.ts';
import type { OpenStore } from '../../src/jobs/store/openStore.ts';
import type { RowChange } from '../../src/contract/records/changes.ts';
import { memoryStore } from './memoryStore.ts';

type Activity = ActorRow['index']['activity'];

export class EndedJobs {
  readonly store: OpenStore = memoryStore();
  readonly #generation = this.store.durable.claim();

  /** Makes an actor of the job chart, or changes one; `since` is when its activity began. */
  actor(id: string, activity: Activity, { since = 0, parent = null as string | null } = {}): void {
    const known = this.store.durable.actor(id);
    const index = {
      label: activity,
      kind: 'job',
      parent,
      slot: false,
      waitingSince: null,
      activity,
    };
    const row: ActorRow = {
      id,
      chart: 'job',
      version: 1,
      snapshot: '{}',
      seq: (known?.seq ?? 0) + 1,
      frameSeq: 0,
      index,
      createdAt: 0,
      updatedAt: since,
      since,
    };
    this.#commit([row], []);
  }

  /** As the runner writes rows: resolved when they are stored. */
  readonly writeRows = async (rows: RowChange[]): Promise<void> => this.#commit([], rows);

  #commit(actors: ActorRow[], rows: RowChange[]): void {
    void this.store.durable.commit({
      generation: this.#generation,
      actors,
      journal: [],
      outboxPut: [],
      outboxDone: [],
      timersSet: [],
      timersDrop: [],
      inbox: [],
      mailPut: [],
      mailDone: [],
      frames: [],
      rows,
    });
  }
}

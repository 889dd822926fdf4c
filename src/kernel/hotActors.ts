import type { AnyMachineSnapshot } from 'xstate';
import type { ActorState, DurableChart } from './chart.ts';
import { KernelError } from './contract.ts';
import { persist, restore, type StampedSnapshot } from './restore.ts';
import type { ActorRow, DurableStore } from './writer.ts';

export type ReportUnreadable = (id: string, why: string) => void;

/** In place of a text that the snapshot in memory gives again. */
const NOT_KEPT = '';

/** One literal: a spread takes V8 six times as long. */
const withoutText = (row: ActorRow): ActorRow => ({
  id: row.id,
  chart: row.chart,
  version: row.version,
  snapshot: NOT_KEPT,
  seq: row.seq,
  frameSeq: row.frameSeq,
  index: row.index,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  since: row.since,
});

/** A committed actor. Its snapshot is restored on demand: a log line does not need it. */
export class HotActor {
  /** Without its snapshot where that is in memory; `stored` has it. */
  readonly row: ActorRow;
  readonly #charts: ReadonlyMap<string, DurableChart>;
  readonly #unreadable: ReportUnreadable;
  #snapshot: AnyMachineSnapshot | undefined;
  #failure: KernelError | undefined;
  #state: ActorState | undefined;

  constructor(
    row: ActorRow,
    charts: ReadonlyMap<string, DurableChart>,
    unreadable: ReportUnreadable,
    snapshot?: AnyMachineSnapshot,
    state?: ActorState,
  ) {
    this.row = row;
    this.#unreadable = unreadable;
    this.#charts = charts;
    this.#snapshot = snapshot;
    this.#state = state;
  }

  /** Throws KernelError `unknown-chart`. */
  get chart(): DurableChart {
    const chart = this.#charts.get(this.row.chart);
    if (!chart)
      throw this.#unreadableBecause(
        new KernelError(
          'unknown-chart',
          `${this.row.id} belongs to the chart ${this.row.chart}, which this kernel does not have`,
        ),
      );
    return chart;
  }

  /** Throws KernelError `snapshot-unreadable`. */
  get snapshot(): AnyMachineSnapshot {
    if (this.#failure) throw this.#failure;
    try {
      this.assertReadable();
      this.#snapshot ??= restore(this.chart, this.row.id, this.row);
      return this.#snapshot;
    } catch (error) {
      throw error instanceof KernelError ? this.#unreadableBecause(error) : error;
    }
  }

  /** Reports and keeps the first reason why it cannot be read. */
  #unreadableBecause(error: KernelError): KernelError {
    if (this.#failure) return this.#failure;
    this.#failure = error;
    this.#unreadable(this.row.id, error.message);
    return error;
  }

  /** Throws KernelError `snapshot-unreadable` for a broken row; then nothing of it is written. */
  assertReadable(): void {
    const { id, broken } = this.row;
    if (broken !== undefined)
      throw new KernelError('snapshot-unreadable', `The row of ${id} cannot be read: ${broken}`);
  }

  /** The snapshot as it is stored. */
  get stored(): StampedSnapshot {
    if (this.row.snapshot !== NOT_KEPT || this.#snapshot === undefined) return this.row;
    return persist(this.chart, this.#snapshot);
  }

  get state(): ActorState {
    // The snapshot first, so that a broken row is reported as such.
    const { snapshot } = this;
    this.#state ??= toActorState(this.row.id, this.chart, this.row.seq, snapshot);
    return this.#state;
  }

  withRow(row: ActorRow): HotActor {
    return new HotActor(row, this.#charts, this.#unreadable, this.#snapshot);
  }
}

export const toActorState = (
  id: string,
  chart: DurableChart,
  seq: number,
  snapshot: AnyMachineSnapshot,
): ActorState => ({
  id,
  chart: chart.id,
  seq,
  value: snapshot.value,
  tags: [...snapshot.tags],
  status: snapshot.status === 'done' ? 'done' : 'active',
  context: snapshot.context,
});

/** The actors that were stepped or read from the store last; the others are only rows in it. */
export class HotActors {
  readonly #store: DurableStore;
  readonly #charts: ReadonlyMap<string, DurableChart>;
  readonly #limit: number;
  readonly #unreadable: ReportUnreadable;
  readonly #actors = new Map<string, HotActor>();

  constructor(
    store: DurableStore,
    charts: ReadonlyMap<string, DurableChart>,
    limit: number,
    unreadable: ReportUnreadable = () => {},
  ) {
    this.#store = store;
    this.#unreadable = unreadable;
    this.#charts = charts;
    this.#limit = limit;
  }

  get(id: string): HotActor | undefined {
    const hot = this.#actors.get(id);
    if (hot) return hot;
    const row = this.#store.actor(id);
    return row && this.put(new HotActor(row, this.#charts, this.#unreadable));
  }

  /** Throws KernelError `unknown-actor`. */
  known(id: string): HotActor {
    const actor = this.get(id);
    if (!actor) throw new KernelError('unknown-actor', `There is no actor ${id}`);
    return actor;
  }

  /** Keeps no text: the garbage collector would copy it twice for each of many actors that wake together. */
  keepStepped(row: ActorRow, snapshot: AnyMachineSnapshot, state: ActorState): void {
    this.put(new HotActor(withoutText(row), this.#charts, this.#unreadable, snapshot, state));
  }

  put(actor: HotActor): HotActor {
    this.#actors.delete(actor.row.id);
    this.#actors.set(actor.row.id, actor);
    if (this.#actors.size > this.#limit) this.#dropOldest();
    return actor;
  }

  clear(): void {
    this.#actors.clear();
  }

  #dropOldest(): void {
    for (const oldest of this.#actors.keys()) {
      this.#actors.delete(oldest);
      return;
    }
  }
}

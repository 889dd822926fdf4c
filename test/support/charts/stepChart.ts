import {
  type AnyMachineSnapshot,
  type AnyStateMachine,
  initialTransition,
  transition,
} from 'xstate';
import type {
  ActorState,
  DurableChart,
  DurableEvent,
  FrameDraft,
} from '../../../src/kernel/chart.ts';
import { listLeafPaths } from '../../../src/base/json/listLeafPaths.ts';

export interface StepEffect {
  type: string;
  params: Record<string, unknown>;
}

const PRIMARY_KEYS: Readonly<Record<string, readonly string[]>> = {
  decisions: ['job_id', 'key'],
  phase_visits: ['job_id', 'visit'],
  forge_writes: ['operation_id'],
  inbox_items: ['job_id', 'n'],
  pr_mappings: ['forge', 'repo', 'number'],
  insights: ['job_id', 'id'],
  artefacts: ['job_id', 'id'],
  token_usage: ['job_id', 'visit', 'session'],
  tool_answers: ['job_id', 'key'],
  sub_runs: ['parent', 'name'],
  campaigns: ['job_id'],
  job_list: ['job_id'],
  job_references: ['reference', 'job_id'],
};

type Row = Record<string, unknown>;

/** Steps a durable chart with XState's pure functions, and applies rows and frames. */
export class SteppedChart<Context> {
  readonly chart: DurableChart;
  snapshot: AnyMachineSnapshot;
  effects: StepEffect[] = [];
  readonly frames: FrameDraft[] = [];
  readonly tables = new Map<string, Row[]>();
  now: number;
  #seq = 0;

  constructor(chart: DurableChart, input: unknown, startMs = Date.UTC(2026, 0, 1)) {
    this.chart = chart;
    this.now = startMs;
    const [snapshot, actions] = initialTransition(chart.machine, input);
    this.snapshot = snapshot;
    this.#keep(undefined, actions, { type: 'xstate.init' });
  }

  /** Sends an event one second after the last one; answers whether it was taken. */
  send(event: DurableEvent): boolean {
    this.now += 1000;
    return this.sendNow({ ...event, at: this.now });
  }

  sendNow(event: DurableEvent): boolean {
    const before = this.state;
    const [next, actions] = transition(this.chart.machine as AnyStateMachine, this.snapshot, event);
    if (next === this.snapshot && actions.length === 0) return false;
    this.snapshot = next;
    this.#keep(before, actions, event);
    return true;
  }

  #keep(
    before: ActorState | undefined,
    actions: { type: string; params?: unknown }[],
    event: DurableEvent,
  ): void {
    this.#seq++;
    this.effects = actions.map(({ type, params }) => ({
      type,
      params: { ...(params as Record<string, unknown>) },
    }));
    this.frames.push(...this.chart.frames(before, this.state, event));
    for (const effect of this.effects) this.#carryOut(effect);
  }

  #carryOut({ type, params }: StepEffect): void {
    if (type === 'frame.add')
      this.frames.push({ kind: String(params.kind), data: params.data as Row });
    if (!type.startsWith('row.')) return;
    const table = String(params.table);
    const keys = PRIMARY_KEYS[table];
    if (!keys) throw new Error(`unknown table ${table}`);
    const rows = this.tables.get(table) ?? [];
    const like = (pattern: Row) => (row: Row) =>
      Object.entries(pattern).every(([key, value]) => row[key] === value);
    if (type === 'row.put') {
      const row = params.row as Row;
      const same = like(Object.fromEntries(keys.map((key) => [key, row[key]])));
      const old = rows.find(same);
      this.tables.set(table, [...rows.filter((other) => other !== old), { ...old, ...row }]);
    } else if (type === 'row.patch') {
      const hit = like(params.key as Row);
      this.tables.set(
        table,
        rows.map((row) => (hit(row) ? { ...row, ...(params.set as Row) } : row)),
      );
    } else {
      const hit = like(params.key as Row);
      this.tables.set(
        table,
        rows.filter((row) => !hit(row)),
      );
    }
  }

  get context(): Context {
    return this.snapshot.context as Context;
  }

  /** Dotted path of the leaf state. */
  get at(): string {
    return listLeafPaths(this.snapshot.value).join(' & ');
  }

  get state(): ActorState<Context> {
    return {
      id: 'the actor',
      chart: this.chart.id,
      seq: this.#seq,
      value: this.snapshot.value,
      tags: [...this.snapshot.tags],
      status: this.snapshot.status === 'active' ? 'active' : 'done',
      context: this.context,
    };
  }

  effect(type: string): Record<string, unknown> | undefined {
    return this.effects.find((effect) => effect.type === type)?.params;
  }

  rows(table: string): Row[] {
    return this.tables.get(table) ?? [];
  }

  /** Lines of the log so far, with their tag. */
  get log(): string[] {
    return this.frames
      .filter(({ kind }) => kind === 'log')
      .map(({ data }) => `[${data.tag}] ${data.line}`);
  }
}

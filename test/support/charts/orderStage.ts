import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kernel, KernelOptions } from '../../../src/kernel/contract.ts';
import { createKernel } from '../../../src/kernel/kernel.ts';
import type { EffectRun } from '../../../src/kernel/port.ts';
import type { Batch, DurableStore } from '../../../src/kernel/writer.ts';
import { type OpenStore, openStore } from '../../../src/jobs/store/openStore.ts';
import { readEnvironment } from '../../../src/host/config/home/env.ts';
import { beginDelayedLog, readLogDelay } from '../log/delayedLog.ts';
import { WRITER } from '../writer.ts';
import { orderChart } from './orderChart.ts';
import { SimulatedClock } from './simulatedClock.ts';

export interface OrderStage {
  kernel: Kernel;
  store: OpenStore;
  clock: SimulatedClock;
  batches: Batch[];
  runs: EffectRun[];
  errors: string[];
  dir: string;
  /** As after a kill: the kernel is left as it is, the file is free for the next. */
  kill(): void;
}

export interface LocalForgeWritesOptions extends Partial<Omit<KernelOptions, 'store' | 'clock'>> {
  dir?: string;
  clock?: SimulatedClock;
  wrap?: (store: DurableStore) => DurableStore;
}

/** A store in its own folder and a kernel of orders; `parcel.send` never ends unless given. */
export function orderStage({
  dir = mkdtempSync(join(tmpdir(), 'svc-orders-')),
  clock = new SimulatedClock(),
  wrap,
  ...options
}: LocalForgeWritesOptions = {}): OrderStage {
  const store = openStore({
    file: join(dir, 'state.db'),
    pid: process.pid,
    now: clock.now(),
    // `SVC_COMMITS=thread` runs a test file of the kernel with commits on a thread of their own.
    commits: { place: readEnvironment(process.env).commits },
    thread: WRITER,
  });
  const batches: Batch[] = [];
  const runs: EffectRun[] = [];
  const errors: string[] = [];
  const inner = wrap ? wrap(store.durable) : store.durable;
  const { 'parcel.send': send = () => new Promise<undefined>(() => {}), ...ports } =
    options.ports ?? {};
  const kernel = createKernel({
    charts: [orderChart],
    screen: null,
    onError: (where, error) =>
      errors.push(`${where}: ${error instanceof Error ? error.message : String(error)}`),
    ...options,
    ports: {
      ...ports,
      'parcel.send': (params, run) => {
        runs.push(run);
        return send(params, run);
      },
    },
    clock,
    store: watchStore(inner, (batch) => batches.push(batch)),
  });
  const logDelay = readLogDelay(process.env);
  if (logDelay !== null) {
    const { start } = kernel;
    kernel.start = async () => {
      await beginDelayedLog(store, logDelay);
      return start();
    };
  }
  return { kernel, store, clock, batches, runs, errors, dir, kill: () => store.close() };
}

/**
 * The same store; `onBatch` receives each batch before it is written. A promise of it stands for the
 * disk: the commit is answered after it.
 */
export function watchStore(
  store: DurableStore,
  onBatch: (batch: Batch) => undefined | Promise<undefined> | number,
): DurableStore {
  return {
    commit(batch, overlap) {
      const disk = onBatch(batch);
      const written = store.commit(batch, overlap);
      return disk instanceof Promise ? disk.then(() => written) : written;
    },
    rowProblem: (change) => store.rowProblem?.(change) ?? null,
    claim: () => store.claim(),
    actor: (id) => store.actor(id),
    inbox: (actor, source, externalId) => store.inbox(actor, source, externalId),
    listPendingEffects: () => store.listPendingEffects(),
    listPendingMail: () => store.listPendingMail(),
    timers: (limit) => store.timers(limit),
    listTimers: (actor) => store.listTimers(actor),
    hasProgressed: (actor, seq) => store.hasProgressed(actor, seq),
    journal: (actor, after, limit) => store.journal(actor, after, limit),
    frames: (actor, after, limit) => store.frames(actor, after, limit),
  };
}

/** An order with one item, paid, that waits for the button `ship`. */
export async function paidOrder(kernel: Kernel, id: string): Promise<void> {
  await kernel.submit({
    starts: [{ chart: 'order', id, input: { id, price: 5 } }],
    sends: [
      { to: id, event: { type: 'add', item: `book of ${id}` } },
      { to: id, event: { type: 'pay', amount: 5 } },
    ],
  });
}

/** Lets everything run that can run without the clock being moved. */
export async function quiet(kernel: Kernel): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  await kernel.awaitFlushed();
}

/** Whole journal of an actor, in short: `type` of each row, notes in brackets. */
export const readEventTypes = (store: OpenStore, id: string): string[] =>
  store.durable
    .journal(id, 0, 1_000)
    .map(({ event, note }) => (note ? `(${event.type})` : event.type));

export const removeHome = (dir: string): void => rmSync(dir, { recursive: true, force: true });

import { copyFileSync, existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKernel } from '../../../src/kernel/kernel.ts';
import type { Kernel, KernelOptions } from '../../../src/kernel/contract.ts';
import type { Ports } from '../../../src/kernel/port.ts';
import { Database } from '../../../src/kernel/sqlite/database.ts';
import { compareWithHead, renewOutgoing } from '../../../src/kernel/sqlite/log/compareWithHead.ts';
import { readLogPosition } from '../../../src/kernel/sqlite/log/outgoing.ts';
import { replayEntries } from '../../../src/kernel/sqlite/log/replay.ts';
import type { LogEntry } from '../../../src/kernel/sqlite/log/homeLog.ts';
import type { LogStart } from '../../../src/kernel/sqlite/log/storeLog.ts';
import { migrate } from '../../../src/kernel/sqlite/migrate.ts';
import { MIGRATIONS } from '../../../src/jobs/store/migrations/migrations.ts';
import { openStore, type OpenStore } from '../../../src/jobs/store/openStore.ts';
import { orderChart } from '../charts/orderChart.ts';
import { SimulatedClock } from '../charts/simulatedClock.ts';
import { compareStates, type StateComparison } from './compareStates.ts';
import { foldLog } from './foldLog.ts';
import { type StandInCloud, StandInLog } from './standInCloud.ts';

export interface LoggedHome {
  dir: string;
  store: OpenStore;
  log: StandInLog;
  kernel: Kernel;
  clock: SimulatedClock;
  errors: string[];
  /** What was reported as outside of the log. */
  due: string[];
  close(): void;
}

export interface LoggedHomeOptions {
  dir?: string;
  ports?: Ports;
  start?: Partial<LogStart>;
  kernel?: Partial<KernelOptions>;
  /** Called with the log before entries that wait are sent. */
  before?(log: StandInLog): void;
}

export const newHomeFolder = (): string => mkdtempSync(join(tmpdir(), 'svc-log-'));

const STATE_FILES = ['state.db', 'state.db-wal', 'state.db-journal', 'state.db-manifest'];

/** The files of a home as a kill leaves them now. */
export function copyHome(from: string, to: string): string {
  mkdirSync(to, { recursive: true });
  for (const name of STATE_FILES)
    if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name));
  return to;
}

/**
 * The one start of a home with a log, as the runner plays it: what the control plane has, a claim,
 * what waits, the kernel. The same for a restart, an empty folder and another machine.
 */
export async function startLoggedHome(
  cloud: StandInCloud,
  { dir = newHomeFolder(), ports = {}, start, kernel: options, before }: LoggedHomeOptions = {},
): Promise<LoggedHome> {
  const file = join(dir, 'state.db');
  mkdirSync(dir, { recursive: true });
  const db = new Database(file);
  migrate(db, MIGRATIONS);
  const compared = compareWithHead(db, cloud.head);
  if (compared === 'diverged') throw new Error('the file has another history');
  if (compared === 'none' || compared === 'behind')
    await replayEntries(db, cloud.entries.slice(readLogPosition(db)?.n ?? 0));
  const head = cloud.head;
  const generation = cloud.claim(head);
  if (generation === null) throw new Error('the head has moved');
  const waiting: LogEntry[] = [];
  let at = readLogPosition(db) ?? head;
  if (compared === 'ahead') {
    const renewed = renewOutgoing(db, head, generation);
    waiting.push(...renewed.entries);
    at = renewed.at;
  }
  db.close();
  const clock = new SimulatedClock();
  const store = openStore({ file, pid: process.pid, now: clock.now() });
  const log = new StandInLog(cloud);
  before?.(log);
  const due: string[] = [];
  await store.log.begin(log, {
    ...at,
    generation,
    checkpointDue: (write) => {
      due.push(write);
      return Promise.resolve(undefined);
    },
    keepArchive: () => Promise.resolve(undefined),
    ...start,
  });
  for (const entry of waiting) void log.send(entry);
  const errors: string[] = [];
  const kernel = createKernel({
    screen: null,
    charts: [orderChart],
    onError: (where, error) =>
      errors.push(`${where}: ${error instanceof Error ? error.message : String(error)}`),
    ...options,
    clock,
    store: store.durable,
    ports: { 'parcel.send': () => new Promise<undefined>(() => {}), ...ports },
  });
  return { dir, store, log, kernel, clock, errors, due, close: () => store.close() };
}

/** What the log alone makes, beside the open state. */
export async function compareWithFold(
  { store, dir }: Pick<LoggedHome, 'store' | 'dir'>,
  entries: readonly LogEntry[],
): Promise<StateComparison> {
  const file = join(dir, 'folded.db');
  await foldLog(file, entries);
  const folded = new Database(file);
  try {
    return compareStates(store.db, folded);
  } finally {
    folded.close();
  }
}

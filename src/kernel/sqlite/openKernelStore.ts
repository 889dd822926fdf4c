import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { TypedRows } from '../typedRows.ts';
import type { DurableStore } from '../writer.ts';
import { SvcError } from '../../base/errors/errors.ts';
import { describeHolders, findFileHolders } from '../../base/system/process/findFileHolders.ts';
import { isProcessAlive } from '../../base/system/process/isProcessAlive.ts';
import { ArchiveReader } from './archive/archiveReader.ts';
import { createArchiver, type Archiver } from './archive/archiver.ts';
import type { ArchiveStep, AnswerTable } from './archive/segmentDeps.ts';
import { ActorList } from './actorList.ts';
import { BrokenRows } from './broken/brokenRows.ts';
import type { BrokenRow, RowGuard } from './broken/rowGuard.ts';
import { createActorCheck } from './broken/createActorCheck.ts';
import { Checkpoints, type Later } from './checkpoints.ts';
import { Commits, type CommitsOptions } from './commits.ts';
import { createStoreLog } from './createStoreLog.ts';
import { copyOlderState } from './copyOlderState.ts';
import { IN_MEMORY } from './openConnection.ts';
import { Database } from './database.ts';
import { FeatureTables } from './featureTables.ts';
import { FrameReader } from './frameReader.ts';
import type { StoreLog } from './log/storeLog.ts';
import { migrate, type Tell } from './migrate.ts';
import { readLastWriteTime, takeOverState } from './takeOverState.ts';
import { RowReader } from './rowReader.ts';
import { SlotCounts } from './slotCounts.ts';
import { SqliteStore } from './sqliteStore.ts';
import type { ThreadProgram } from './thread/writerThread.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What a store holds besides the kernel's tables, as data: the kernel knows no features. */
export interface StoreFeatures {
  /**
   * Entry N migrates `user_version` from N to N + 1 in one transaction; kernel and feature tables
   * share one sequence.
   */
  migrations: readonly string[];
  /** Which rows and frames are readable. */
  guard: RowGuard;
  /** Tables of which every commit reads all rows. */
  cachedTables: ReadonlySet<string>;
  /** What is archived with an actor's journal; null = nothing. */
  answers: AnswerTable | null;
}

/** Fewest and most collections; one suffices unless the stack still refers to a statement. */
const FEWEST = 2;
const MOST = 10;

/**
 * Frees a file with closed connections. SQLite keeps a closed connection, and its lock, while it
 * has statements, and the driver ends statements only by garbage collection. Linux shows whether
 * the file is free; elsewhere two collections must do. `pid`: this process's.
 */
async function finalizeStatements(file: string, pid: number): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') return;
  for (let round = 1; round <= MOST; round++) {
    collect();
    await nextTurn();
    const isOpen = findFileHolders(file).some((holder) => holder.pid === pid);
    if (round >= FEWEST && !isOpen) return;
  }
}

/** Pages given back per step: 2 MiB, a few milliseconds. */
const PAGES_AT_ONCE = 256;

/** Gives free pages back to the disk in steps between which others run. Returns the bytes saved. */
async function giveBack(db: Database): Promise<number> {
  const before = db.freeBytes();
  for (let free = before, last = -1; free > 0 && free !== last; ) {
    last = free;
    free = db.giveBack(PAGES_AT_ONCE);
    await nextTurn();
  }
  db.checkpoint();
  return before - db.freeBytes();
}

export interface KernelStoreOptions {
  /** Path of state.db, or `:memory:`. */
  file: string;
  /** Where this process names itself for others; default `runner.lock.json` beside the file. */
  lockFile?: string;
  pid: number;
  /** Epoch ms, for the lock file. */
  now: number;
  /** The opening release, written into the state; default: none, for tools that only look. */
  release?: string;
  /** Epoch ms, for later archiving and removal; default: always `now`. */
  clock?: () => number;
  /** Passed on by the archiver; default: nothing. */
  onArchiveStep?: (step: ArchiveStep) => void;
  /** Charts of this release: actors of others are broken rows. Default: any. */
  charts?: readonly string[];
  /** How the kernel's batches are committed; default: in the main thread. */
  commits?: CommitsOptions;
  /** Program of a committing thread; default: no thread. */
  thread?: ThreadProgram | undefined;
  /** Schedules work for idle times; default: it does not wait. */
  later?: Later;
  /** Receives log lines about long one-time work; default: nothing. */
  tell?: Tell | undefined;
  /** Called when an unreadable row is first met; default: not at all. */
  metBroken?: ((row: BrokenRow) => void) | undefined;
}

/** The folder of a state's archives, beside it. */
export const resolveArchiveDir = (file: string): string => join(dirname(resolve(file)), 'archive');

/** `Known`: the tables of the features it was opened with. */
export interface KernelStore<Known extends object> {
  db: Database;
  durable: DurableStore;
  rows: TypedRows<Known>;
  broken: BrokenRows;
  actors: ActorList;
  frames: FrameReader;
  archiver: Archiver;
  /** That of the home at its control plane. */
  log: StoreLog;
  /** Gives free pages back to the disk in short steps. Returns the bytes saved. */
  giveBack(): Promise<number>;
  /** Problems of the file; empty = none. */
  integrity(): string[];
  /** Closes the file. The lock stays until the process ends or collects garbage: see `release`. */
  close(): void;
  /**
   * Closes the file and frees it: another process may open it when this resolves. Rejects with
   * SvcError `store-failed`; the file is free then too.
   */
  release(): Promise<void>;
}

/** Default path where a process that has the file names itself. */
export const toLockFilePath = (file: string): string => join(dirname(file), 'runner.lock.json');

const resolveLockFile = ({ file, lockFile }: KernelStoreOptions): string | undefined =>
  file === IN_MEMORY ? undefined : (lockFile ?? toLockFilePath(file));

function takeStateFile(options: KernelStoreOptions): Database {
  const { file, thread } = options;
  try {
    return new Database(file, file === IN_MEMORY ? undefined : thread);
  } catch (error) {
    if (error instanceof SvcError && error.code === 'locked')
      throw createLockedError(file, resolveLockFile(options), error);
    throw error;
  }
}

/**
 * Opens a store for this process alone and migrates it. Throws SvcError `locked` (with `data.pid`
 * and `data.startedAt` of the holder) or `store-failed`.
 */
export function openKernelStore<Known extends object>(
  options: KernelStoreOptions,
  features: StoreFeatures,
): KernelStore<Known> {
  const writtenAt = readLastWriteTime(options.file);
  return openTakenState(takeStateFile(options), writtenAt, options, features);
}

/** The same without blocking other work while an older state is copied; reports what takes long. */
export async function openKernelStoreInTurns<Known extends object>(
  options: KernelStoreOptions & { release: string; tell: Tell },
  features: StoreFeatures,
): Promise<KernelStore<Known>> {
  const { release, tell } = options;
  const writtenAt = readLastWriteTime(options.file);
  const db = takeStateFile(options);
  try {
    const knownVersion = features.migrations.length;
    await copyOlderState(db, { release, known: knownVersion, writtenAt, tell });
  } catch (error) {
    closeAfterFailure(db);
    throw error;
  }
  return openTakenState(db, writtenAt, options, features);
}

function openTakenState<Known extends object>(
  db: Database,
  writtenAt: number,
  options: KernelStoreOptions,
  { migrations, guard, cachedTables, answers }: StoreFeatures,
): KernelStore<Known> {
  const {
    file,
    pid,
    now,
    release,
    onArchiveStep: archiving,
    commits: committing,
    later,
    tell,
  } = options;
  const { clock = () => now } = options;
  const lockFile = resolveLockFile(options);
  try {
    if (release === undefined) migrate(db, migrations, { tell });
    else takeOverState(db, migrations, release, writtenAt, tell);
    db.ableToShrink(() => tell?.({}, 'rewriting the state once so that the file can shrink'));
    // The real lock is on the database and ends with the process; this file only says whose it is.
    if (lockFile)
      writeFileSync(
        lockFile,
        `${JSON.stringify({ pid, startedAt: new Date(now).toISOString() })}\n`,
        {
          mode: 0o600,
        },
      );
    const brokenRows = new BrokenRows(guard, options.metBroken);
    const checkActor = createActorCheck(options.charts);
    const tables = new FeatureTables(db);
    const archiveDir = file === IN_MEMORY ? null : resolveArchiveDir(file);
    const archives = new ArchiveReader(db, archiveDir, brokenRows);
    const slots = new SlotCounts(db);
    const commits = new Commits(db, committing);
    const checkpoints = new Checkpoints(db, later);
    const log = createStoreLog(db, commits);
    return {
      db,
      durable: new SqliteStore(db, {
        tables,
        archives,
        slots,
        commits,
        checkpoints,
        broken: brokenRows,
        checkActor,
      }),
      rows: new RowReader<Known>(db, tables, brokenRows, cachedTables),
      broken: brokenRows,
      actors: new ActorList(db, slots, brokenRows, checkActor),
      frames: new FrameReader(db, archives, brokenRows),
      archiver: createArchiver({
        db,
        dir: archiveDir,
        now: clock,
        broken: brokenRows,
        answers,
        log,
        ...(archiving && { onStep: archiving }),
      }),
      log,
      giveBack: () => giveBack(db),
      integrity: () =>
        db
          .all('PRAGMA integrity_check')
          .map((row) => String(row.integrity_check))
          .filter((line) => line !== 'ok'),
      close() {
        checkpoints.stop();
        db.close();
        if (lockFile) rmSync(lockFile, { force: true });
      },
      async release() {
        checkpoints.stop();
        await db.waitForCopies();
        try {
          await db.writer?.endThreads();
        } finally {
          db.close();
          await finalizeStatements(file, pid);
          // Last: it names this process until the file is free.
          if (lockFile) rmSync(lockFile, { force: true });
        }
      },
    };
  } catch (error) {
    closeAfterFailure(db);
    throw error;
  }
}

/** Never throws: on a full disk closing fails as well, and what failed first is the reason. */
function closeAfterFailure(db: Database): void {
  try {
    db.close();
  } catch {
    // The process ends without the store.
  }
}

export function createLockedError(
  file: string,
  lockName: string | undefined,
  cause: SvcError,
): SvcError {
  let who = describeHolders(findFileHolders(file)) ?? 'another process';
  let data: Record<string, unknown> = {};
  try {
    const { pid, startedAt } = JSON.parse(readFileSync(lockName ?? '', 'utf8')) as {
      pid: unknown;
      startedAt: unknown;
    };
    // A killed process has left its name behind.
    if (typeof pid === 'number' && typeof startedAt === 'string' && isProcessAlive(pid)) {
      who = `the runner with pid ${pid}, started at ${startedAt}`;
      data = { pid, startedAt };
    }
  } catch {
    // The holder has not named itself (yet), or is a tool: the error has no name.
  }
  return new SvcError(
    'locked',
    `${file} is in use by ${who}. Stop it first, or choose another home.`,
    { data, cause },
  );
}

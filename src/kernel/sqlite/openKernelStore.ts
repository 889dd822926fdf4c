import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { TypedRows } from '../typedRows.ts';
import type { DurableStore } from '../writer.ts';
import { SvcError } from '../../shared/errors/errors.ts';
import { describeHolders, findFileHolders } from '../../shared/system/process/findFileHolders.ts';
import { isProcessAlive } from '../../shared/system/process/isProcessAlive.ts';
import { ArchiveReader } from './archive/archiveReader.ts';
import { type Archiver, createArchiver } from './archive/archiver.ts';
import type { ArchiveStep } from './archive/segmentDeps.ts';
import { giveBack } from './giveBack.ts';
import { ActorList } from './actorList.ts';
import { BrokenRows } from './broken/brokenRows.ts';
import type { BrokenRow } from './broken/rowGuard.ts';
import { createActorCheck } from './broken/createActorCheck.ts';
import { Checkpoints, type Later } from './checkpoints.ts';
import { Commits, type CommitsOptions } from './commits.ts';
import { copyOlderState } from './copyOlderState.ts';
import { IN_MEMORY } from './openConnection.ts';
import { Database } from './database.ts';
import { FeatureTables } from './featureTables.ts';
import { finalizeStatements } from './finalizeStatements.ts';
import { FrameReader } from './frameReader.ts';
import { migrate, type Tell } from './migrate.ts';
import { readLastWriteTime, takeOverState } from './takeOverState.ts';
import { RowReader } from './rowReader.ts';
import { SlotCounts } from './slotCounts.ts';
import { SqliteStore } from './sqliteStore.ts';
import type { StoreFeatures } from './storeFeatures.ts';
import type { ThreadProgram } from './thread/writerThread.ts';

export interface KernelStoreOptions {
  /** Path of state.db, or `:memory:`. */
  file: string;
  /**
   * Where this process names itself for those that find the file locked; default `runner.lock.json`
   * beside it.
   */
  lockFile?: string;
  pid: number;
  /** Epoch ms, for the lock file. */
  now: number;
  /**
   * The release of svc that opens it, which is written into the state; default: none, as for tools
   * that only look.
   */
  release?: string;
  /** Epoch ms, for what is archived and removed while it is open; default: always `now`. */
  clock?: () => number;
  /** Passed on by the archiver; default: nothing. */
  archiving?: (step: ArchiveStep) => void;
  /** Charts that this release has: an actor of another one is a broken row. Default: any may be. */
  charts?: readonly string[];
  /** How the kernel's batches are committed; default: in the main thread. */
  commits?: CommitsOptions;
  /** The program of a thread that can commit them; default: no thread. */
  thread?: ThreadProgram | undefined;
  /** For work that waits until nothing is written; default: it is not waited for. */
  later?: Later;
  /** Takes what is done once and takes long; default: nothing. */
  tell?: Tell | undefined;
  /** Called for each row that cannot be read, when it is met first; default: not at all. */
  metBroken?: ((row: BrokenRow) => void) | undefined;
}

/** Where the archives of a state are: a folder beside it. */
export const resolveArchiveDir = (file: string): string => join(dirname(resolve(file)), 'archive');

/** `Known`: the tables of the features that it was opened with. */
export interface KernelStore<Known extends object> {
  /** For readers of features. */
  db: Database;
  durable: DurableStore;
  rows: TypedRows<Known>;
  /** Rows that were met and cannot be read. */
  broken: BrokenRows;
  actors: ActorList;
  frames: FrameReader;
  /** Moves what actors that have ended leave behind into files. */
  archiver: Archiver;
  /**
   * Gives the free pages of the file back to the disk, in steps that hold nothing up. Answers how
   * many bytes that were.
   */
  giveBack(): Promise<number>;
  /** What is wrong with the file; empty = nothing. */
  integrity(): string[];
  /** Closes the file. This process keeps its lock until it ends or collects garbage: see `release`. */
  close(): void;
  /**
   * Closes the file and gives it free while this process lives: another one may open it when this
   * resolves. Rejects with SvcError `store-failed`; the file is free then too.
   */
  release(): Promise<void>;
}

/** Where a process that has the file names itself by default. */
export const toLockFilePath = (file: string): string => join(dirname(file), 'runner.lock.json');

const resolveLockFile = ({ file, lockFile }: KernelStoreOptions): string | undefined =>
  file === IN_MEMORY ? undefined : (lockFile ?? toLockFilePath(file));

/** Takes the file for this process alone. */
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
 * Opens a store for this process alone and brings it to the newest version. Throws SvcError:
 * `locked` (naming the process that has it, with `data.pid` and `data.startedAt`) or
 * `store-failed`.
 */
export function openKernelStore<Known extends object>(
  options: KernelStoreOptions,
  features: StoreFeatures,
): KernelStore<Known> {
  const writtenAt = readLastWriteTime(options.file);
  return openTakenState(takeStateFile(options), writtenAt, options, features);
}

/**
 * The same for a process that has other work: that has its turn while the state of an older release
 * is copied, and what takes long is reported.
 */
export async function openKernelStoreInTurns<Known extends object>(
  options: KernelStoreOptions & { release: string; tell: Tell },
  features: StoreFeatures,
): Promise<KernelStore<Known>> {
  const { release, tell } = options;
  const writtenAt = readLastWriteTime(options.file);
  const db = takeStateFile(options);
  try {
    const known = features.migrations.length;
    await copyOlderState(db, { release, known, writtenAt, tell });
  } catch (error) {
    db.close();
    throw error;
  }
  return openTakenState(db, writtenAt, options, features);
}

/** Closes the database where it cannot be used. */
function openTakenState<Known extends object>(
  db: Database,
  writtenAt: number,
  options: KernelStoreOptions,
  { migrations, guard, keptWhole, answers }: StoreFeatures,
): KernelStore<Known> {
  const { file, pid, now, release, archiving, commits: committing, later, tell } = options;
  const { clock = () => now } = options;
  const named = resolveLockFile(options);
  try {
    if (release === undefined) migrate(db, migrations, { tell });
    else takeOverState(db, migrations, release, writtenAt, tell);
    db.ableToShrink(() => tell?.({}, 'rewriting the state once so that the file can shrink'));
    // The lock is the one on the database and ends with its process; this file only says whose it
    // is.
    if (named)
      writeFileSync(named, `${JSON.stringify({ pid, startedAt: new Date(now).toISOString() })}\n`, {
        mode: 0o600,
      });
    const broken = new BrokenRows(guard, options.metBroken);
    const checkActor = createActorCheck(options.charts);
    const tables = new FeatureTables(db);
    const archiveDir = file === IN_MEMORY ? null : resolveArchiveDir(file);
    const archives = new ArchiveReader(db, archiveDir, broken);
    const slots = new SlotCounts(db);
    const commits = new Commits(db, committing);
    const checkpoints = new Checkpoints(db, later);
    return {
      db,
      durable: new SqliteStore(db, {
        tables,
        archives,
        slots,
        commits,
        checkpoints,
        broken,
        checkActor,
      }),
      rows: new RowReader<Known>(db, tables, broken, keptWhole),
      broken,
      actors: new ActorList(db, slots, broken, checkActor),
      frames: new FrameReader(db, archives, broken),
      archiver: createArchiver({
        db,
        dir: archiveDir,
        now: clock,
        broken,
        answers,
        ...(archiving && { reached: archiving }),
      }),
      giveBack: () => giveBack(db),
      integrity: () =>
        db
          .all('PRAGMA integrity_check')
          .map((row) => String(row.integrity_check))
          .filter((line) => line !== 'ok'),
      close() {
        checkpoints.stop();
        db.close();
        if (named) rmSync(named, { force: true });
      },
      async release() {
        checkpoints.stop();
        try {
          await db.writer?.endThreads();
        } finally {
          db.close();
          await finalizeStatements(file, pid);
          // Last: until the file is free, it names this process to others.
          if (named) rmSync(named, { force: true });
        }
      },
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

/** The error that names the process which has the file. */
export function createLockedError(
  file: string,
  named: string | undefined,
  cause: SvcError,
): SvcError {
  let who = describeHolders(findFileHolders(file)) ?? 'another process';
  let data: Record<string, unknown> = {};
  try {
    const { pid, startedAt } = JSON.parse(readFileSync(named ?? '', 'utf8')) as {
      pid: unknown;
      startedAt: unknown;
    };
    // One that was killed has left its name behind.
    if (typeof pid === 'number' && typeof startedAt === 'string' && isProcessAlive(pid)) {
      who = `the runner with pid ${pid}, started at ${startedAt}`;
      data = { pid, startedAt };
    }
  } catch {
    // The holder has not named itself (yet), or is a tool: the refusal is given without the name.
  }
  return new SvcError(
    'locked',
    `${file} is in use by ${who}. Stop it first, or choose another home.`,
    { data, cause },
  );
}

import { type Manifest, computeNextStamp, countStampsSince } from './pairManifest.ts';
import type { DatabaseFile, DatabaseHead } from './readDatabaseHead.ts';
import type { JournalFile } from './readJournal.ts';
import { areSameSalts, type LogFile, type Salts } from './readLog.ts';

export interface PairFiles {
  database: DatabaseFile;
  log: LogFile;
  journal: JournalFile | null;
  /** null = missing, unreadable, or of another home. */
  manifest: Manifest | null;
  /** A runner has used the state: its home has an id. */
  isUsed: boolean;
  /** Whether state.db or the log has each page; asked last. */
  hasAllPages(head: DatabaseHead): boolean;
}

export type Doubt =
  | 'database-gone'
  | 'database-cut'
  | 'database-earlier'
  | 'database-foreign'
  | 'no-database'
  | 'log-gone'
  | 'log-cut'
  | 'log-foreign'
  | 'journal-foreign';

/**
 * Whether these files belong together and nothing that was on the disk is missing of them; null = they
 * do. After a kill at any moment they do.
 *
 * The manifest is written after what it names, so it may lag by one step: the log may have more frames
 * than it says, or have begun again. Without a manifest the stamps in state.db and in the log decide;
 * then a log that was cut looks like one whose last commits were never on the disk.
 */
export function examinePair(files: PairFiles): Doubt | null {
  const { database, log, manifest } = files;
  if (database.bytes === 0) {
    return manifest === null && log.isEmpty && !files.isUsed ? null : 'database-gone';
  }
  // A state being created, which SQLite rolls back to nothing.
  if (files.journal?.databasePages === 0) return isBeingCreated(files) ? null : 'journal-foreign';
  if (files.journal !== null && files.journal.head === null) return 'journal-foreign';
  const head = files.journal?.head ?? database.head;
  if (head === null) return 'no-database';
  if (files.journal !== null && !fitsJournal(files, files.journal.databasePages, head))
    return 'journal-foreign';
  const currentManifest = manifest === null || isStale(manifest, head, log) ? null : manifest;
  const doubt = examineStamp(head, currentManifest) ?? examineLog(head, log, currentManifest);
  return doubt ?? (files.hasAllPages(head) ? null : 'database-cut');
}

const isBeingCreated = ({ database, log, manifest }: PairFiles): boolean =>
  manifest === null && log.isEmpty && database.bytes <= (database.head?.pageBytes ?? 65_536);

/** svc writes one only without a log, and only about page 1. */
function fitsJournal(
  { database, log, manifest }: PairFiles,
  pages: number,
  head: DatabaseHead,
): boolean {
  if (!log.isEmpty || Math.floor(database.bytes / head.pageBytes) !== pages) return false;
  const stamp = database.head?.stamp ?? head.stamp;
  return (
    stamp === head.stamp || head.stamp === 0 || (manifest?.stamps.includes(head.stamp) ?? false)
  );
}

const pickLastStamp = (stamps: readonly number[]): number => stamps.at(-1) ?? 0;

/** An older manifest was put back: state.db or its log is newer. */
function isStale({ stamps }: Manifest, head: DatabaseHead, log: LogFile): boolean {
  const last = pickLastStamp(stamps);
  const isLater = (stamp: number): boolean => (countStampsSince(last, stamp) ?? 0) > 0;
  const isLogLater = log.stamps.length > 0 && log.stamps.every(isLater);
  return isLater(head.stamp) || (isLogLater && isBasedOn(head, log));
}

function examineStamp({ stamp }: DatabaseHead, manifest: Manifest | null): Doubt | null {
  if (manifest === null || manifest.stamps.includes(stamp)) return null;
  const since = countStampsSince(pickLastStamp(manifest.stamps), stamp);
  return since !== null || stamp === 0 ? 'database-earlier' : 'database-foreign';
}

function examineLog(head: DatabaseHead, log: LogFile, manifest: Manifest | null): Doubt | null {
  if (!head.hasLog && !log.isEmpty) return 'log-foreign';
  if (log.frames === 0) return mayLackLog(head, log, manifest) ? null : diagnoseAbsentLog(log);
  if (log.head?.pageBytes !== head.pageBytes || !isBasedOn(head, log)) return 'log-foreign';
  if (manifest === null) return null;
  const { salts } = log.head;
  if (manifest.log !== null && areSameSalts(manifest.log.salts, salts))
    return log.frames < manifest.log.frames ? 'log-cut' : null;
  const isNext = manifest.log !== null && isNextSalt(manifest.log.salts, salts);
  const isBegun = manifest.isComplete && log.stamps.includes(pickLastStamp(manifest.stamps));
  return isNext || isBegun ? null : 'log-foreign';
}

const diagnoseAbsentLog = (log: LogFile): Doubt => (log.isEmpty ? 'log-gone' : 'log-cut');

/** Whether a log of which nothing is left held nothing. */
function mayLackLog(head: DatabaseHead, log: LogFile, manifest: Manifest | null): boolean {
  if (manifest === null) return !head.hasLog;
  if (manifest.isComplete || manifest.log === null || manifest.log.frames === 0) return true;
  return log.head !== null && isNextSalt(manifest.log.salts, log.head.salts);
}

/** A log begins with the stamp after that of the state it continues. */
function isBasedOn({ stamp }: DatabaseHead, { stamps }: LogFile): boolean {
  const [first] = stamps;
  return (
    first === undefined ||
    stamps.includes(stamp) ||
    (stamp !== 0 && computeNextStamp(stamp) === first)
  );
}

/** SQLite increments the first salt when a log restarts. */
const isNextSalt = (before: Salts, after: Salts): boolean => (before[0] + 1) >>> 0 === after[0];

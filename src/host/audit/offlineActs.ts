import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { Check } from 'typebox/value';
import Type from 'typebox';
import { isMissingFile } from '../../base/errors/findErrorCode.ts';
import { parseJsonOrNull } from '../../base/json/parseJsonOrNull.ts';
import { SvcError } from '../../base/errors/errors.ts';
import { writePrivateFile } from '../../base/system/files/writePrivateFile.ts';
import type { RequestedAct } from '../../contract/runner/auditTrail.ts';

/** Most notes that one start takes, the newest: thousands of acts without one start of the runner. */
const MOST_NOTES = 10_000;

/** Longest note that is read, bytes. */
const MAX_NOTE_BYTES = 64 * 1024;

/** A file per act: a runner that starts takes away only what it has read. */
const FOLDER = 'audit.offline';

const OfflineNote = Type.Object({
  at: Type.Integer({ minimum: 0, maximum: 8.64e15 }),
  person: Type.Union([Type.String({ maxLength: 200 }), Type.Null()]),
  action: Type.String({ minLength: 1, maxLength: 64 }),
  target: Type.Record(Type.String(), Type.String()),
  /** Code of the error with which it ended. */
  failed: Type.Optional(Type.String({ maxLength: 64 })),
});
type OfflineNote = Type.Static<typeof OfflineNote>;

export type OfflineAct = RequestedAct & { at: number; failed: string | null };

/** The user of the system; null = the system knows no name. */
function findUserName(): string | null {
  try {
    return userInfo().username;
  } catch {
    return null;
  }
}

interface NotedAct {
  /** Epoch ms. */
  at: number;
  action: string;
  target: Readonly<Record<string, string>>;
}

const toFileName = (at: number, action: string): string =>
  `${String(at).padStart(16, '0')}-${action}-${process.pid}.json`;

async function writeNote(home: string, note: OfflineNote): Promise<void> {
  await mkdir(join(home, FOLDER), { recursive: true, mode: 0o700 });
  const file = join(home, FOLDER, toFileName(note.at, note.action));
  await writePrivateFile(file, JSON.stringify(note), 'draft');
}

/**
 * Does something to a home that no runner serves. What it is about to do is noted on disk first, and the next runner
 * takes it into the audit log. Rejects with the error of the system, without having done anything, where it cannot be
 * noted; else with that of the work.
 */
export async function runOfflineAct<Result>(
  home: string,
  { at, action, target }: NotedAct,
  work: () => Promise<Result>,
): Promise<Result> {
  const note: OfflineNote = { at, person: findUserName(), action, target: { ...target } };
  await writeNote(home, note);
  try {
    return await work();
  } catch (error) {
    const errorCode = error instanceof SvcError ? error.code : 'internal';
    await writeNote(home, { ...note, failed: errorCode }).catch(() => undefined);
    throw error;
  }
}

async function readNote(file: string): Promise<OfflineAct | null> {
  const { size } = await stat(file);
  const note = size > MAX_NOTE_BYTES ? null : parseJsonOrNull(await readFile(file, 'utf8'));
  if (!Check(OfflineNote, note)) return null;
  return { ...note, failed: note.failed ?? null, via: 'cli', address: null, jobId: null };
}

/**
 * Brings the notes of a home into its audit log and removes them. `isKnown`: whether an act is in there already, as
 * after a crash in the middle. Throws what `keep` throws; the notes then stay.
 */
export async function takeOfflineActs(
  home: string,
  { isKnown, keep }: { isKnown(act: OfflineAct): boolean; keep(acts: OfflineAct[]): Promise<void> },
): Promise<void> {
  const folder = join(home, FOLDER);
  const names = (await listNames(folder)).filter((name) => name.endsWith('.json')).toSorted();
  const files = names.map((name) => join(folder, name));
  const acts: OfflineAct[] = [];
  for (const file of files.slice(-MOST_NOTES)) {
    const act = await readNote(file);
    if (act !== null && !isKnown(act)) acts.push(act);
  }
  if (acts.length > 0) await keep(acts);
  for (const file of files) await rm(file);
}

async function listNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissingFile(error)) return [];
    throw error;
  }
}

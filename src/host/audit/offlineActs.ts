import { mkdir, open, rename, rm } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { Check } from 'typebox/value';
import Type from 'typebox';
import { isMissingFile } from '../../base/errors/findErrorCode.ts';
import { parseJsonOrNull } from '../../base/json/parseJsonOrNull.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { RequestedAct } from '../../contract/runner/auditTrail.ts';

/** Most notes that are taken, bytes, the newest: thousands of acts without one start of the runner. */
const MAX_NOTES_BYTES = 4 * 1024 * 1024;

const NOTES = 'audit.offline.jsonl';
/** Notes that a runner is taking into its state. */
const TAKEN = 'audit.offline.taken.jsonl';

const OfflineNote = Type.Object({
  at: Type.Integer({ minimum: 0, maximum: 8.64e15 }),
  person: Type.Union([Type.String({ maxLength: 200 }), Type.Null()]),
  action: Type.String({ minLength: 1, maxLength: 64 }),
  target: Type.Record(Type.String(), Type.String()),
  /** Code of the error with which it ended; its entry comes after the one without. */
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

async function appendNote(home: string, note: OfflineNote): Promise<void> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  const file = await open(join(home, NOTES), 'a', 0o600);
  try {
    await file.appendFile(`${JSON.stringify(note)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
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
  await appendNote(home, note);
  try {
    return await work();
  } catch (error) {
    const failed = error instanceof SvcError ? error.code : 'internal';
    await appendNote(home, { ...note, failed }).catch(() => undefined);
    throw error;
  }
}

async function readTail(file: string): Promise<string> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const length = Math.min(size, MAX_NOTES_BYTES);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function readNotes(file: string): Promise<OfflineAct[]> {
  const acts = new Map<string, OfflineAct>();
  for (const line of (await readTail(file)).split('\n')) {
    const note = parseJsonOrNull(line);
    if (!Check(OfflineNote, note)) continue;
    const { failed = null, ...act } = note;
    const key = `${act.at} ${act.action}`;
    acts.set(key, { ...act, failed, via: 'cli', address: null, jobId: null });
  }
  return [...acts.values()];
}

/**
 * Brings the notes of a home into its audit log and removes them. `isKnown`: whether an act is in there already, as
 * after a crash in the middle. Throws what `keep` throws; the notes then stay.
 */
export async function takeOfflineActs(
  home: string,
  { isKnown, keep }: { isKnown(act: OfflineAct): boolean; keep(acts: OfflineAct[]): Promise<void> },
): Promise<void> {
  const claimedFile = join(home, TAKEN);
  const bringIn = async (): Promise<void> => {
    const acts = (await readNotes(claimedFile)).filter((act) => !isKnown(act));
    if (acts.length > 0) await keep(acts);
    await rm(claimedFile);
  };
  await ignoreMissing(bringIn());
  await ignoreMissing(rename(join(home, NOTES), claimedFile).then(bringIn));
}

const ignoreMissing = (work: Promise<void>): Promise<void> =>
  work.catch((error: unknown) => {
    if (!isMissingFile(error)) throw error;
  });

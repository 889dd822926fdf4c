import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { takeWorkSnapshot } from '../../../src/git/readWork.ts';

/** What is kept while a person works in the checkout of a job. */
interface HandWork {
  checkout: string;
  /** Tree of the checkout's files when the person began. */
  tree: string;
  /** Why the job was paused, in the person's words; null = they gave none. */
  reason: string | null;
}

export interface ChangesByHand {
  reason: string | null;
  /** A line for each file; empty = nothing was changed. */
  summary: string;
  diff: string;
}

/** Most bytes of a summary, and of a diff, that are read. */
const MAX_DIFF_BYTES = 1024 * 1024;
const TREE = /^[0-9a-f]{40,64}$/;

/** Never in the job's folder: its agent could write what a person then sends. */
const toFolder = (home: string, jobId: string): string => join(home, 'by-hand', jobId);
const toNote = (home: string, jobId: string): string => join(toFolder(home, jobId), 'note.json');

async function readNote(home: string, jobId: string): Promise<HandWork | null> {
  const text = await readFile(toNote(home, jobId), 'utf8').catch(() => null);
  if (text === null) return null;
  const note = JSON.parse(text) as HandWork;
  return TREE.test(note.tree) ? note : null;
}

/** Keeps the state of a job's checkout, so that a person's changes can be shown to its agent. One that is kept stays. */
export async function beginHandWork(
  home: string,
  jobId: string,
  { checkout, reason }: Pick<HandWork, 'checkout' | 'reason'>,
): Promise<void> {
  if ((await readNote(home, jobId)) !== null) return;
  const folder = toFolder(home, jobId);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const snapshot = await takeWorkSnapshot(checkout, join(folder, 'files.git')).catch(() => null);
  if (snapshot === null)
    throw new SvcError('not-possible-now', `${checkout} cannot be read as a git repository.`);
  const note: HandWork = { checkout, tree: snapshot.files, reason };
  await writeFile(toNote(home, jobId), JSON.stringify(note), { mode: 0o600 });
}

/** What a person has changed since {@link beginHandWork}; null = no one has worked by hand. */
export async function readHandWork(home: string, jobId: string): Promise<ChangesByHand | null> {
  const note = await readNote(home, jobId);
  if (note === null) return null;
  const folder = join(toFolder(home, jobId), 'files.git');
  const snapshot = await takeWorkSnapshot(note.checkout, folder).catch(() => null);
  if (snapshot === null)
    return { reason: note.reason, summary: 'What they changed could not be read.', diff: '' };
  const compare = async (form: string): Promise<string> => {
    const { stdout } = await snapshot.git(
      ['diff', '--no-ext-diff', '--no-textconv', '--no-color', form, note.tree, snapshot.files],
      { cutOutput: true, maxBytes: MAX_DIFF_BYTES },
    );
    return stdout.trim();
  };
  return { reason: note.reason, summary: await compare('--stat'), diff: await compare('--patch') };
}

export const forgetHandWork = (home: string, jobId: string): Promise<void> =>
  rm(toFolder(home, jobId), { recursive: true, force: true });

import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SvcError } from '../../base/errors/errors.ts';
import { writePrivateFile } from '../../base/system/files/writePrivateFile.ts';
import { findPlainFile } from '../workspace/editing/findPlainFile.ts';

/** The files that applying a proposal writes; committed before the first file is touched. */
export type ApplyPlan = readonly PlannedFile[];

export interface PlannedFile {
  path: string;
  /** The replaced text; null = there is no file. */
  before: string | null;
  /** The written text; null = the file is removed. */
  after: string | null;
}

/**
 * The text at a path below a folder; null = no file. Throws SvcError `forbidden` for links and
 * anything but a plain file: nothing is ever written through a link.
 */
export async function readPlainTextAt(root: string, path: string): Promise<string | null> {
  const full = await findPlainFile(root, path);
  return full === null ? null : readFile(full, 'utf8');
}

async function putPlannedFile(
  root: string,
  path: string,
  text: string | null,
  draftName: string,
): Promise<void> {
  const full = join(root, path);
  // Left by a crash in an earlier attempt.
  await rm(`${full}.${draftName}`, { force: true });
  if (text === null) return rm(full, { force: true });
  await mkdir(dirname(full), { recursive: true });
  await writePrivateFile(full, text, draftName);
}

/**
 * Writes every file of a plan, or none. May be repeated after a crash at any point: files already
 * written are skipped. If a file is neither as before nor as after, or cannot be written, all are
 * restored and SvcError `conflict` gives the reason.
 */
export async function carryOutPlan(
  root: string,
  plan: ApplyPlan,
  draftName: string,
): Promise<void> {
  const present = await Promise.all(plan.map(({ path }) => readPlainTextAt(root, path)));
  const foreign = plan.find(
    ({ before, after }, at) => ![before, after].includes(present[at] ?? null),
  );
  const undo = async (): Promise<void> => {
    for (const { path, before, after } of plan)
      if ((await readPlainTextAt(root, path)) === after && after !== before)
        await putPlannedFile(root, path, before, draftName);
  };
  if (foreign !== undefined) {
    await undo();
    throw new SvcError(
      'conflict',
      `${foreign.path} was changed while the proposal was being applied. None of its files was changed.`,
    );
  }
  try {
    for (const [at, { path, after }] of plan.entries())
      if (present[at] !== after) await putPlannedFile(root, path, after, draftName);
  } catch (error) {
    await undo();
    throw new SvcError(
      'conflict',
      `A file could not be written (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'}). None of its files was changed.`,
      { cause: error },
    );
  }
}

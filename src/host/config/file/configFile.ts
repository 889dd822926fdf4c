import { existsSync, lstatSync, readlinkSync, statSync } from 'node:fs';
import { findErrorCode } from '../../../base/errors/findErrorCode.ts';
import { dirname } from 'node:path';
import { Low } from 'lowdb';
import { TextFile } from 'lowdb/node';
import { SvcError } from '../../../base/errors/errors.ts';
import { sha256 } from '../../../base/system/ids/ids.ts';
import { makeFolder } from '../../../base/system/files/makeFolder.ts';
import { writePrivateFile } from '../../../base/system/files/writePrivateFile.ts';

const ABSENT = 'absent';

const readFileErrorCode = (error: unknown): string => findErrorCode(error) ?? 'unknown reason';

/**
 * lowdb over the text of the file, which lowdb's own writer would make readable for others. An
 * emptied file is not taken for a missing one, as lowdb alone would.
 */
function openTextDatabase(
  file: string,
  write: (text: string) => Promise<void>,
): Low<{ text: string | null }> {
  const onDisk = new TextFile(file);
  return new Low<{ text: string | null }>(
    { read: async () => ({ text: await onDisk.read() }), write: ({ text }) => write(text ?? '') },
    { text: null },
  );
}

/**
 * What keeps the file from being read, though no read would report it: a pipe never ends, and a link
 * to nowhere would pass for a missing file, which means the defaults. Null = nothing.
 */
function findOddity(file: string): string | null {
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() && !existsSync(file))
    return `is a link to ${readlinkSync(file)}, which cannot be followed. Bring that file back, or remove the link.`;
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined || stats.isFile() || stats.isDirectory()
    ? null
    : 'is a pipe, socket or device. It must be a file that you may read.';
}

/** The text of the config file; null = no file. Throws SvcError `config-invalid` if unreadable. */
export async function readConfigText(file: string): Promise<string | null> {
  const low = openTextDatabase(file, async () => {});
  try {
    const oddity = findOddity(file);
    if (oddity !== null)
      throw new SvcError('config-invalid', `The configuration file ${file} ${oddity}`);
    await low.read();
  } catch (cause) {
    if (cause instanceof SvcError) throw cause;
    throw new SvcError(
      'config-invalid',
      `The configuration file ${file} cannot be read (${readFileErrorCode(cause)}). It must be a file that you may read.`,
      { cause },
    );
  }
  const { text } = low.data;
  const at = text?.indexOf('\uFFFD') ?? -1;
  if (text !== null && at >= 0) {
    const line = text.slice(0, at).split('\n').length;
    throw new SvcError(
      'config-invalid',
      `The configuration file ${file} is not UTF-8: line ${line} has bytes of another encoding. Save it as UTF-8.`,
    );
  }
  return text;
}

export const CHANGED_MEANWHILE =
  'The configuration has changed since you read it. Read it again, then send your change.';

/**
 * Replaces the config file atomically, mode 0600: readers never see half of it. `draft` is a name
 * that no other file in the folder has. Throws SvcError `precondition-failed` where the file is no
 * longer `was` (null = it did not exist): someone else has written it meanwhile; `store-failed`. The
 * old file then still exists.
 */
export async function writeConfigText(
  file: string,
  { was, text, draft }: { was: string | null; text: string; draft: string },
): Promise<void> {
  const checkUnchanged = async () => {
    if ((await readConfigText(file)) !== was)
      throw new SvcError('precondition-failed', CHANGED_MEANWHILE);
  };
  const low = openTextDatabase(file, (whole) =>
    writePrivateFile(file, whole, draft, checkUnchanged),
  );
  low.data = { text };
  try {
    // The first command of a new home may be this one.
    if (was === null) await makeFolder(dirname(file), 0o700);
    await low.write();
  } catch (cause) {
    if (cause instanceof SvcError) throw cause;
    throw new SvcError(
      'store-failed',
      `The configuration file ${file} cannot be written (${readFileErrorCode(cause)}). It was not changed.`,
      {
        cause,
      },
    );
  }
}

/** Entity tag (RFC 9110) of a text of the file. */
export const computeConfigEtag = (text: string | null): string =>
  `"${text === null ? ABSENT : sha256(text)}"`;

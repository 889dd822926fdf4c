import { chmod, chown, lstat, open, readFile, realpath, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Env } from '../../src/host/config/home/env.ts';
import { selectCompletionScript, SHELLS } from '../completion/completionScripts.ts';

/** Larger ones are not files that a shell reads at its start, bytes. */
const MAX_BYTES = 4 * 1024 * 1024;
const DRAFT = '.svc-draft';
const PERMISSIONS = 0o7777;

/** Lines as the help of `svc completion` and of `svc autocomplete` gives them, alone on their line. */
const OURS =
  /^(?:(?:source|\.)\s+<\(\s*svc completion (?:bash|zsh)\s*\)|eval\s+"?\$\(\s*svc completion (?:bash|zsh)\s*\)"?|svc completion fish\s*\|\s*source)\s*;?\s*(?:#.*)?$|^SVC_AC_(?:BASH|ZSH)_SETUP_PATH=.* # svc autocomplete setup$/;
/** Others that name svc and are not comments; a person has to check them. */
const NAMES_SVC = /^(?!\s*#).*(?:\bsvc (?:completion|autocomplete)\b|\balias svc=)/;
/** Ends of lines that need the line after them. */
const OPENS = /(?:\b(?:then|do|else)|[{(\\|&])\s*$/;

export interface StartFile {
  file: string;
  /** Numbers of the lines to remove, from 1; null = all of the file is the completion of svc. */
  lines: number[] | null;
}

export type LeftLine = string;

interface FoundCompletion {
  files: StartFile[];
  left: LeftLine[];
}

function listStartFiles(homeDir: string, env: Env): string[] {
  const zsh = env.ZDOTDIR || homeDir;
  const config = env.XDG_CONFIG_HOME || join(homeDir, '.config');
  return [
    ...['.bashrc', '.bash_profile', '.bash_login', '.profile'].map((name) => join(homeDir, name)),
    ...['.zshrc', '.zprofile'].map((name) => join(zsh, name)),
    join(config, 'fish', 'config.fish'),
  ];
}

/** Files into which the script itself is written. */
function listScriptFiles(homeDir: string, env: Env): string[] {
  const config = env.XDG_CONFIG_HOME || join(homeDir, '.config');
  return [join(config, 'fish', 'completions', 'svc.fish')];
}

/** `text` is Latin-1, so that bytes that are not UTF-8 stay unchanged. */
const splitStartFile = (text: string): string[] => text.split('\n');

/**
 * The file that a link leads to, if a rename can replace it: a plain file of this user with one
 * hard link; null = none exists.
 */
async function readReplaceableFile(file: string): Promise<{ path: string; text: string } | null> {
  const path = await realpath(file).catch(() => null);
  const stats = path === null ? null : await lstat(path);
  if (path === null || !stats?.isFile() || stats.size > MAX_BYTES) return null;
  const text = await readFile(path, 'latin1').catch(() => null);
  return text === null ? null : { path, text };
}

const isCompletionLine = (lines: readonly string[], index: number): boolean =>
  OURS.test((lines[index] ?? '').replace(/\s+$/, '')) && !OPENS.test(lines[index - 1] ?? '');

/** What completion has in the start files of a person's shells. Changes nothing. */
export async function findShellCompletion(homeDir: string, env: Env): Promise<FoundCompletion> {
  const completion: FoundCompletion = { files: [], left: [] };
  for (const file of listStartFiles(homeDir, env)) {
    const lines = splitStartFile((await readReplaceableFile(file))?.text ?? '');
    const own = lines.flatMap((_, index) => (isCompletionLine(lines, index) ? [index + 1] : []));
    if (own.length > 0) completion.files.push({ file, lines: own });
    for (const [index, line] of lines.entries())
      if (NAMES_SVC.test(line) && !own.includes(index + 1))
        completion.left.push(`${file}:${index + 1}`);
  }
  for (const file of listScriptFiles(homeDir, env)) {
    const text = (await readReplaceableFile(file))?.text;
    if (text === undefined) continue;
    if (SHELLS.some((shell) => text === selectCompletionScript(shell)))
      completion.files.push({ file, lines: null });
    else completion.left.push(`${file}:1`);
  }
  return completion;
}

/**
 * Removes the lines, or the file; returns whether it could. The rest stays byte for byte, with mode
 * and owner, and the change is atomic. A link is followed and stays.
 */
export async function removeCompletion({ file, lines }: StartFile): Promise<boolean> {
  const replaceable = await readReplaceableFile(file);
  if (replaceable === null) return true;
  try {
    if (lines === null) await rm(file);
    else await replaceStartFile(replaceable.path, dropCompletionLines(replaceable.text));
    return true;
  } catch {
    return false;
  }
}

/** Reads the file again: it may have been edited since it was checked. */
function dropCompletionLines(text: string): string {
  const lines = splitStartFile(text);
  return lines.filter((_, index) => !isCompletionLine(lines, index)).join('\n');
}

async function replaceStartFile(path: string, text: string): Promise<void> {
  const { mode, uid, gid, nlink } = await lstat(path);
  if (nlink > 1) throw new Error('it has several names, which a rename would part');
  const draft = `${path}${DRAFT}`;
  await rm(draft, { force: true });
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(text, 'latin1');
      await handle.sync();
    } finally {
      await handle.close();
    }
    await chown(draft, uid, gid);
    await chmod(draft, mode & PERMISSIONS);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

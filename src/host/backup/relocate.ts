import { lstat, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { applyEdits, findNodeAtLocation, modify, parseTree, type Node } from 'jsonc-parser';
import Type from 'typebox';
import type { Ids } from '../../base/system/ids/ids.ts';
import { readPlainFile } from '../../base/system/files/readPlainFile.ts';
import { writePrivateFile } from '../../base/system/files/writePrivateFile.ts';
import type { ConfigPlace } from '../config/home/resolveConfigPlace.ts';
import { findHomeOrigin } from './homeRecord.ts';

/**
 * Where the home has moved since a runner last started on it, changes the paths in its config.json, before
 * that is loaded; gives what people should know about it, null = nothing. A copied home is left as it is.
 */
export async function takeUpMovedConfig(
  { home, file }: Pick<ConfigPlace, 'home' | 'file'>,
  ids: Ids,
): Promise<string | null> {
  const origin = await findHomeOrigin(home);
  if (origin === 'here' || origin.isCopy) return null;
  const changedSettings = await relocateConfig(file, { from: origin.from, to: home }, ids);
  return changedSettings.length === 0
    ? null
    : `The home was moved from ${origin.from} to ${home}. Changed in ${file}: ${changedSettings.join(', ')}.`;
}

export interface Move {
  from: string;
  to: string;
}

export const RelocationResult = Type.Object({
  /** Settings of config.json, as `paths.workingDir`. */
  settings: Type.Array(Type.String()),
  /** Checkouts whose `origin` is a mirror in the home. */
  checkouts: Type.Integer(),
});
export type RelocationResult = Type.Static<typeof RelocationResult>;

const WORKING_DIR = ['paths', 'workingDir'];
/** Largest git configuration of a checkout that is changed, bytes. */
const MAX_GIT_CONFIG_BYTES = 1_048_576;

/** The path where the home is now; null = it is not in the home. */
const toMovedPath = (path: string, { from, to }: Move): string | null =>
  path === from || path.startsWith(`${from}/`) ? `${to}${path.slice(from.length)}` : null;

/**
 * Changes the paths of a home that has moved in its config.json, before that is loaded; gives the
 * settings that it changed. A file that is not JSON is left as it is. May be repeated.
 */
export async function relocateConfig(file: string, move: Move, ids: Ids): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(() => null);
  const root = text === null ? undefined : parseTree(text);
  if (text === null || root === undefined) return [];
  const changedNodes = collectStringNodes(root, []).flatMap(({ node, path }) => {
    const value = toMovedPath(String(node.value), move);
    return value === null ? [] : [{ node, path, value }];
  });
  if (changedNodes.length === 0) return [];
  let changedText = text;
  for (const { node, value } of changedNodes.toReversed())
    changedText = `${changedText.slice(0, node.offset)}${JSON.stringify(value)}${changedText.slice(node.offset + node.length)}`;
  await writePrivateFile(file, changedText, `${ids.next()}.draft`);
  return changedNodes.map(({ path }) => path.join('.'));
}

/** The same where the folders of jobs are to be in the home, whatever the file says. */
export async function removeWorkingDirSetting(file: string, ids: Ids): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => null);
  const root = text === null ? undefined : parseTree(text);
  if (text === null || !root || !findNodeAtLocation(root, WORKING_DIR)) return;
  const edits = modify(text, WORKING_DIR, undefined, {});
  await writePrivateFile(file, applyEdits(text, edits), `${ids.next()}.draft`);
}

function collectStringNodes(node: Node, path: string[]): { node: Node; path: string[] }[] {
  if (node.type === 'string') return [{ node, path }];
  return (node.children ?? []).flatMap((child, index) => {
    if (child.type !== 'property') return collectStringNodes(child, [...path, String(index)]);
    const [key, value] = child.children ?? [];
    return key && value ? collectStringNodes(value, [...path, String(key.value)]) : [];
  });
}

/**
 * Updates the checkouts of a home that has moved: their `origin` may be a mirror in that home.
 * Resolves with how many it changed. The state needs no change, since the runner resolves every path
 * in it again. May be repeated.
 */
export async function relocateCheckouts(workingDir: string, move: Move): Promise<number> {
  let changedCount = 0;
  for (const job of await listInnerFolders(workingDir))
    for (const checkout of await listInnerFolders(job))
      if (await relocateOrigin(join(checkout, '.git'), move)) changedCount += 1;
  return changedCount;
}

async function relocateOrigin(gitDir: string, move: Move): Promise<boolean> {
  if (!(await lstat(gitDir).catch(() => null))?.isDirectory()) return false;
  const config = join(gitDir, 'config');
  const text = await readPlainFile(config, MAX_GIT_CONFIG_BYTES);
  if (text === null) return false;
  const changedText = text.replaceAll(
    /^(\s*url = )(.*)$/gm,
    (line, before: string, value: string) => {
      const url = toMovedPath(unquoteGitValue(value), move);
      return url === null ? line : `${before}"${url.replaceAll(/[\\"]/g, '\\$&')}"`;
    },
  );
  if (changedText === text) return false;
  const draft = `${config}.svc-draft`;
  await rm(draft, { force: true });
  await writeFile(draft, changedText, { flag: 'wx', mode: 0o644, flush: true });
  await rename(draft, config);
  return true;
}

/** As `git clone` writes it. */
const unquoteGitValue = (value: string): string =>
  value.replace(/^"(.*)"$/, '$1').replaceAll(/\\([\\"])/g, '$1');

const listInnerFolders = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(folder, entry.name));

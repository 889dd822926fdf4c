import { renameSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { TRANSFER_TIMEOUT_MS } from '../checkout.ts';
import { runGit } from '../runGit.ts';
import { surveyTree, removeTree } from './tree.ts';

/** Prefix of a mirror that the forge has completely, and that only remains to be deleted. */
const GONE = '.gone-';
const DEPTH = 6;
export const SEEN = 'refs/svc/seen/';
const KEPT = 'refs/svc/kept/';
/** Refs of three kinds: the forge's branches, refs to be pushed, and what svc last saw at the forge. */
export const KNOWN_REFS = /^refs\/(heads|svc\/push|svc\/seen)\//;

export interface DropRequest {
  /** True: nothing is removed. */
  dryRun: boolean;
  /** Asked in the same step as the removal. */
  isInUse(): boolean;
}
/** The bytes that were freed, or why the mirror stays. */
export type DropResult = { bytes: number } | { left: string };

export interface MirrorToDrop extends DropRequest {
  path: string;
  createName(): string;
  /** Runs git against the forge: `args`, the address, then `last`. Throws SvcError. */
  ask(args: readonly string[], ...last: string[]): Promise<string>;
}

/**
 * Removes a mirror, if the forge has every commit that it names. It is renamed first: a runner that is
 * killed has either the mirror, or a folder that {@link clearDropped} removes.
 */
export async function dropMirror({
  path,
  dryRun,
  isInUse,
  createName: nextName,
  ask,
}: MirrorToDrop): Promise<DropResult> {
  const own = await listMirrorRefs(path);
  const mirrorRefs = own.filter(({ ref }) => ref.startsWith(KEPT));
  if (mirrorRefs.length > 0)
    return {
      left: `it contains work that was saved from checkouts (${mirrorRefs.length} refs ${KEPT}…)`,
    };
  const unknown = own.find(({ ref }) => !KNOWN_REFS.test(ref));
  if (unknown) return { left: `it contains ${unknown.ref}, which is not from the forge` };
  const lacking = await findLackingRef(path, own, ask);
  if (lacking !== null) return { left: `the forge is missing commits of ${lacking}` };
  const { bytes } = await surveyTree(path);
  if (isInUse()) return { left: 'a job has begun to use it' };
  if (dryRun) return { bytes };
  const renamedPath = join(dirname(path), `${GONE}${basename(path)}.${nextName()}`);
  renameSync(path, renamedPath);
  await removeTree(renamedPath);
  return { bytes };
}

export interface MirrorRef {
  ref: string;
  commit: string;
}

/** Every ref of a mirror. Throws SvcError where git cannot read it. */
export async function listMirrorRefs(path: string): Promise<MirrorRef[]> {
  const { stdout } = await runGit([
    '--git-dir',
    path,
    'for-each-ref',
    '--format=%(objectname) %(refname)',
  ]);
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => ({
      commit: line.slice(0, line.indexOf(' ')),
      ref: line.slice(line.indexOf(' ') + 1),
    }));
}

async function findLackingRef(
  path: string,
  own: readonly MirrorRef[],
  ask: MirrorToDrop['ask'],
): Promise<string | null> {
  const there = new Set(
    (await ask(['ls-remote'])).split('\n').map((line) => line.slice(0, line.indexOf('\t'))),
  );
  const open = own.filter(({ commit, ref }) => !there.has(commit) && !ref.startsWith(SEEN));
  if (open.length === 0) return null;
  // Older commits are contained in branches that grew; only the objects can tell.
  await ask(
    [
      '--git-dir',
      path,
      '-c',
      'fetch.fsckObjects=true',
      'fetch',
      '--quiet',
      '--prune',
      '--no-tags',
      '--no-recurse-submodules',
      '--no-write-fetch-head',
      '--',
    ],
    `+refs/heads/*:${SEEN}*`,
  );
  for (const { commit, ref } of open) {
    const { stdout } = await runGit(
      ['--git-dir', path, 'rev-list', '--max-count=1', commit, '--not', `--glob=${SEEN}*`, '--'],
      { timeoutMs: TRANSFER_TIMEOUT_MS },
    );
    if (stdout.trim() !== '') return ref;
  }
  return null;
}

export async function clearDropped(
  dir: string,
  depth = DEPTH,
): Promise<{ path: string; bytes: number }[]> {
  const removals: { path: string; bytes: number }[] = [];
  for (const entry of await readdir(dir, { withFileTypes: true }).catch(() => [])) {
    const path = join(dir, entry.name);
    if (!entry.isDirectory()) continue;
    if (entry.name.startsWith(GONE)) {
      const { bytes } = await surveyTree(path);
      await removeTree(path);
      removals.push({ path, bytes });
    } else if (!entry.name.endsWith('.git') && !entry.name.startsWith('.') && depth > 0)
      removals.push(...(await clearDropped(path, depth - 1)));
  }
  return removals;
}

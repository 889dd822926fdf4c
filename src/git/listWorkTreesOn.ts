import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { showPath } from '../base/text/pathNames.ts';
import { SvcError } from '../base/errors/errors.ts';
import { runGit } from './runGit.ts';
import { type PersonSettings, readPersonSettings } from './readPersonSettings.ts';
import { toRawPathBytes, splitFields } from './rawPaths.ts';
import type { Repository } from './openRepository.ts';

export interface WorkTree {
  dir: string;
  /** The folder of its index; a linked work tree has one within the repository. */
  ownGitDir: string;
  settings: PersonSettings;
}

/**
 * Where the branch is checked out: the repository's own working tree or linked ones; a deleted folder
 * does not count. Throws SvcError `conflict` for one whose folder cannot be found or named.
 */
export async function listWorkTreesOn(repository: Repository, branch: string): Promise<WorkTree[]> {
  const { gitDir } = repository;
  const args = ['--git-dir', gitDir, 'worktree', 'list', '--porcelain', '-z'];
  const { stdout } = await runGit(args, { encoding: 'latin1' });
  const name = `branch ${await findTarget(gitDir, branch)}`;
  const trees: WorkTree[] = [];
  for (const [at, block] of stdout.split('\0\0').entries()) {
    const lines = splitFields(block);
    if (!lines.includes(name) || lines.includes('bare')) continue;
    const treePath = toRawPathBytes(lines[0]?.replace(/^worktree /, '') ?? '');
    if (!existsSync(treePath)) continue;
    // Git lists the main work tree first, by the place of its `.git`.
    const place =
      at === 0
        ? await findMainTree(repository, requireUtf8Dir(treePath))
        : await findPlace(requireUtf8Dir(treePath));
    if (place !== null)
      trees.push({ ...place, settings: await readPersonSettings({ ...place, gitDir }) });
  }
  return trees;
}

/**
 * The full name of the branch in Latin-1, after symbolic refs (`git symbolic-ref`, as after a
 * rename of the default branch), since git lists the branch that they lead to.
 */
async function findTarget(gitDir: string, branch: string): Promise<string> {
  const ref = `refs/heads/${branch}`;
  const { stdout, exitCode } = await runGit(
    ['--git-dir', gitDir, 'symbolic-ref', '--quiet', '--', ref],
    { encoding: 'latin1', answers: [1] },
  );
  return exitCode === 0 ? stdout.replace(/\n$/, '') : Buffer.from(ref).toString('latin1');
}

type Place = Pick<WorkTree, 'dir' | 'ownGitDir'>;

/** The working tree that contains this folder; null = none. */
async function findPlace(folder: string): Promise<Place | null> {
  const { stdout, exitCode } = await runGit(
    ['rev-parse', '--path-format=absolute', '--git-dir', '--show-toplevel'],
    { cwd: folder, answers: [128] },
  );
  const [ownGitDir = '', dir = ''] = stdout.split('\n');
  return exitCode === 0 && dir !== '' && existsSync(dir) ? { dir, ownGitDir } : null;
}

/** The main working tree; null = its index is not the repository's own. */
async function findMain(folder: string, gitDir: string): Promise<Place | null> {
  const place = await findPlace(folder);
  return place !== null && (await realpath(place.ownGitDir)) === (await realpath(gitDir))
    ? place
    : null;
}

/** `core.worktree`, submodules and `--separate-git-dir` put the files elsewhere. */
async function findMainTree({ path, gitDir }: Repository, branch: string): Promise<Place> {
  const place = (await findMain(path, gitDir)) ?? (await findMain(branch, gitDir));
  if (place !== null) return place;
  throw new SvcError(
    'conflict',
    `The branch is checked out in a folder that ${gitDir} does not list, so svc cannot update its files. Configure that folder as the path of the repository (forges.local.repos of config.json), or check out another branch there.`,
  );
}

/** Programs can only be started in a folder whose name is UTF-8. */
function requireUtf8Dir(bytes: Buffer): string {
  const dir = bytes.toString('utf8');
  if (bytes.equals(Buffer.from(dir))) return dir;
  throw new SvcError(
    'conflict',
    `A working tree of the branch is in a folder whose name is not UTF-8, ${showPath(bytes)}, and svc cannot work in it. Move it with \`git worktree move\`.`,
  );
}

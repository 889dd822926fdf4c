import { createHash } from 'node:crypto';
import { copyFile, lstat, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runGit } from './git.ts';
import { SNAPSHOT_FOLDER } from './gc/snapshot.ts';

/** Most branches of one checkout that are read. */
const MAX_BRANCHES = 200;
/** Longest run of one git command, ms. */
const TIMEOUT_MS = 60_000;

/** What the branches and HEAD point to, each commit once; git runs nothing that the checkout names. */
async function commitsOf(gitDir: string): Promise<string[]> {
  const { stdout } = await runGit(['ls-remote', '--', gitDir], {
    fileProtocol: true,
    timeoutMs: TIMEOUT_MS,
  });
  const commits = stdout
    .split('\n')
    .flatMap((line) => /^([0-9a-f]{40,64})\t(?:HEAD|refs\/heads\/\S+)$/.exec(line)?.[1] ?? []);
  return [...new Set(commits)];
}

/**
 * Hash of what a checkout holds: its files (those that are ignored left out) and the files of its
 * branches. Commits, messages and names of branches alone do not change it. Null = it is not known.
 * Changes nothing in the checkout and runs nothing that it configures. Never rejects.
 */
export async function workHash(checkoutDir: string): Promise<string | null> {
  const gitDir = join(checkoutDir, '.git');
  let dir: string | null = null;
  try {
    if (!(await lstat(gitDir)).isDirectory()) return null;
    const commits = await commitsOf(gitDir);
    if (commits.length > MAX_BRANCHES) return null;
    dir = await mkdtemp(join(tmpdir(), SNAPSHOT_FOLDER));
    await runGit(['init', '--quiet', '--bare', '--template=', dir]);
    await writeFile(join(dir, 'objects', 'info', 'alternates'), `${join(gitDir, 'objects')}\n`);
    const index = join(dir, 'files');
    // With the times of the files in it, git reads only those that have changed.
    const own = join(gitDir, 'index');
    if ((await lstat(own).catch(() => null))?.isFile()) await copyFile(own, index);
    const options = { cwd: checkoutDir, env: { GIT_INDEX_FILE: index }, timeoutMs: TIMEOUT_MS };
    const at = ['--git-dir', dir, '--work-tree', checkoutDir, '-c', 'core.bare=false'];
    await runGit([...at, 'add', '--all', '--', '.'], options);
    const files = (await runGit([...at, 'write-tree'], options)).stdout.trim();
    const trees =
      commits.length === 0
        ? []
        : (
            await runGit([...at, 'rev-parse', ...commits.map((sha) => `${sha}^{tree}`)], options)
          ).stdout
            .trim()
            .split('\n');
    const hash = createHash('sha256');
    return hash.update([files, ...new Set(trees.toSorted())].join('\n')).digest('hex');
  } catch {
    // Half a repository, or none that git can read.
    return null;
  } finally {
    if (dir !== null) await rm(dir, { recursive: true, force: true });
  }
}

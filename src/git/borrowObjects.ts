import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quotePath } from '../base/text/pathNames.ts';
import { runGit } from './runGit.ts';
import type { GitRunner } from './loadObjects.ts';
import type { Repository } from './openRepository.ts';

const FOLDER = 'svc-merge-';

/** Git reads nothing else as configuration: no driver, filter or hook of a repository. */
const CONFIG = `[core]
\trepositoryformatversion = 0
\tbare = true
`;

const formatAlternateLine = (path: string): string =>
  /^["#]|\n/.test(path) ? `${quotePath(Buffer.from(path))}\n` : `${path}\n`;

/**
 * Runs git on the objects of a repository without its configuration, attributes, hooks and refs.
 * New objects are written into the repository only with `write`; else they are discarded.
 */
export async function borrowObjects<T>(
  { gitDir }: Repository,
  { write }: { write: boolean },
  use: (git: GitRunner, dir: string) => Promise<T>,
): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), FOLDER));
  try {
    await mkdir(join(dir, 'objects', 'info'), { recursive: true });
    await mkdir(join(dir, 'refs'));
    // A branch without a commit, so that attributes are not taken from it either.
    await writeFile(join(dir, 'HEAD'), 'ref: refs/heads/none\n');
    await writeFile(join(dir, 'config'), CONFIG);
    const objects = join(gitDir, 'objects');
    await writeFile(join(dir, 'objects', 'info', 'alternates'), formatAlternateLine(objects));
    const shallow = join(gitDir, 'shallow');
    const env = {
      ...(write ? { GIT_OBJECT_DIRECTORY: objects } : {}),
      ...(existsSync(shallow) ? { GIT_SHALLOW_FILE: shallow } : {}),
    };
    const git: GitRunner = (args, options = {}) =>
      runGit(['--git-dir', dir, '-c', `core.fsync=${write ? 'all' : 'none'}`, ...args], {
        ...options,
        cwd: dir,
        env: { ...env, ...options.env },
      });
    return await use(git, dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

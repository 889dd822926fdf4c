import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SvcError } from '../base/errors/errors.ts';

/** Files from which git reads the configuration of a repository. */
const FILES = ['config', 'config.worktree'];
/** A key at the beginning of a line, or after the name of its section. */
const PARTIAL = /(?:^|\])[ \t]*(?:promisor|partialclone(?:filter)?)[ \t]*(?:=|#|;|\r?$)/im;

/** The file in which a repository declares that it is a partial clone; null = it does not. */
export async function findPartial(gitDir: string): Promise<string | null> {
  for (const name of FILES) {
    const file = join(gitDir, name);
    if (PARTIAL.test(await readFile(file, 'utf8').catch(() => ''))) return file;
  }
  return null;
}

/**
 * Makes sure that git will not fetch missing objects of a checkout, whose configuration would say
 * from where and with which program. Clones of svc are complete, so one that calls itself partial
 * was changed. Throws SvcError `bad-argument`.
 */
export async function refusePartial(checkoutDir: string): Promise<void> {
  const file = await findPartial(join(checkoutDir, '.git'));
  if (file !== null)
    throw new SvcError(
      'bad-argument',
      `${file} declares a partial clone (promisor or partialClone), and svc does not read from one. Remove these settings: git config --unset-all extensions.partialClone, and remote.<name>.promisor.`,
    );
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SvcError } from '../lib/errors.ts';

/** Files that git reads the configuration of a repository from. */
const FILES = ['config', 'config.worktree'];
/** A key at the beginning of a line, or behind the name of its section. */
const PARTIAL = /(?:^|\])[ \t]*(?:promisor|partialclone(?:filter)?)[ \t]*(?:=|#|;|\r?$)/im;

/**
 * Makes sure that git will not fetch missing objects of a checkout: the checkout's configuration
 * says from where, and with which program. Clones of svc are whole, so one that calls itself
 * partial was changed. Throws SvcError `bad-argument`.
 */
export async function refusePartial(checkoutDir: string): Promise<void> {
  for (const name of FILES) {
    const file = join(checkoutDir, '.git', name);
    const text = await readFile(file, 'utf8').catch(() => '');
    if (PARTIAL.test(text))
      throw new SvcError(
        'bad-argument',
        `${file} declares a partial clone (promisor or partialClone), and svc does not read from one. Remove these settings: git config --unset-all extensions.partialClone, and remote.<name>.promisor.`,
      );
  }
}

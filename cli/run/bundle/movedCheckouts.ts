import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { runGit } from '../../../src/git/git.ts';

/**
 * Lets the checkouts of an unpacked home fetch from where the local repository is now: another
 * pipeline may have it in another folder.
 */
export async function pointCheckoutsAt(path: string, slug: string, home: string): Promise<void> {
  const work = join(home, 'work');
  for (const job of await readdir(work).catch(() => [])) {
    const checkout = join(work, job, slug);
    if ((await stat(join(checkout, '.git')).catch(() => null)) === null) continue;
    // A checkout that its agent took the remote from stays as it is.
    await runGit(['remote', 'set-url', 'origin', path], { cwd: checkout, answers: [2] });
  }
}

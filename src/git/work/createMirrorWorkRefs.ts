import type { MayAct } from '../../base/concurrency/mayAct.ts';
import { sha256 } from '../../base/system/ids/ids.ts';
import type { WorkRefs } from '../../contract/forge/workRefs.ts';
import { FETCH_CHECKS } from '../fetchChecks.ts';
import { runGit } from '../runGit.ts';
import { takeWork } from './takeWork.ts';

/** Runs git against the forge: `args`, the address, then `last`. Throws SvcError. */
type AskForge = (args: readonly string[], ...last: string[]) => Promise<string>;

interface MirrorAccess {
  mayAct: MayAct;
  /** Runs `act` alone at the mirror of a repository. */
  use<T>(slug: string, act: (gitDir: string, ask: AskForge) => Promise<T>): Promise<T>;
}

/** Names that a cleanup of mirrors knows: what is to be pushed, and what the forge was seen to have. */
const toPushed = (ref: string): string => `refs/svc/push/${sha256(ref).slice(0, 32)}`;
const toSeen = (ref: string): string => ref.replace(/^refs\/svc\//, 'refs/svc/seen/');

const drop = async (gitDir: string, ref: string): Promise<void> => {
  await runGit(['--git-dir', gitDir, 'update-ref', '-d', ref]);
};

/** Refs of work in progress at a remote forge. */
export const createMirrorWorkRefs = ({ mayAct, use }: MirrorAccess): WorkRefs => ({
  push: (slug, ref, { dir, branch }) =>
    use(slug, async (gitDir, ask) => {
      await takeWork({ dir, branch, gitDir, as: toPushed(ref) });
      try {
        await mayAct();
        const push = ['--git-dir', gitDir, 'push', '--quiet', '--no-verify', '--force', '--'];
        await ask(push, `${toPushed(ref)}:${ref}`);
      } finally {
        // A mirror stays on the disk while it has what the forge lacks, as it will when the job has ended.
        await drop(gitDir, toPushed(ref));
      }
    }),
  fetch: (slug, ref) =>
    use(slug, async (gitDir, ask) => {
      if ((await ask(['ls-remote', '--'], ref)).trim() === '') return null;
      const fetch = ['--git-dir', gitDir, ...FETCH_CHECKS, 'fetch', '--quiet', '--no-tags'];
      const more = ['--no-recurse-submodules', '--no-write-fetch-head', '--update-shallow', '--'];
      await ask([...fetch, ...more], `+${ref}:${toSeen(ref)}`);
      return toSeen(ref);
    }),
  remove: (slug, ref) =>
    use(slug, async (gitDir, ask) => {
      await drop(gitDir, toSeen(ref));
      if ((await ask(['ls-remote', '--'], ref)).trim() === '') return;
      await mayAct();
      await ask(['--git-dir', gitDir, 'push', '--quiet', '--no-verify', '--'], `:${ref}`);
    }),
});

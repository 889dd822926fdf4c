import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { toErrorMessage, SvcError } from '../base/errors/errors.ts';
import { randomIds, sha256 } from '../base/system/ids/ids.ts';
import type { MayAct } from '../base/concurrency/mayAct.ts';
import { KeyedQueue } from '../base/concurrency/keyedQueue.ts';
import { screenSecretForms } from '../base/secrets/secretForms.ts';
import { takeBranch } from './checkout.ts';
import type { CheckoutContents } from '../contract/forge/checkoutContents.ts';
import type { ForgeRepo } from '../contract/forge/forge.ts';
import { type DropResult, type DropRequest, dropMirror } from './cleanup/dropMirror.ts';
import { refuseExcludedBranch } from './refuseExcludedBranch.ts';
import { FETCH_CHECKS } from './fetchChecks.ts';
import { runAtPresentAddress } from './runAtPresentAddress.ts';
import { type GitNetwork, runGit } from './runGit.ts';
import { explainGitProblem } from './explainGitProblem.ts';
import { explainTransfer, REFUSED_LOGIN } from './explainTransfer.ts';
import { checkBranch, checkSlug } from './gitNames.ts';
import { readHeadBranch, openRepository } from './openRepository.ts';
import type { WorkRefs } from '../contract/forge/workRefs.ts';
import { createMirrorContents } from './contents/createMirrorContents.ts';
import { createMirrorWorkRefs } from './work/createMirrorWorkRefs.ts';

const NAME_CONFLICT =
  /cannot lock ref|exists; cannot create|directory file conflict|failed to update ref|refname conflict/i;
const PUSH_NAME_CHARS = 32;

export interface MirrorsOptions {
  /** Absolute folder of all mirrors of one forge; made when it is missing. */
  dir: string;
  /** Address and login of a repository. Throws SvcError. */
  network(slug: string): GitNetwork | Promise<GitNetwork>;
  /** Another login in place of a refused one; null = none exists. */
  renewLogin?(slug: string, refusedNetwork: GitNetwork): Promise<GitNetwork | null>;
  /** Asked right before each push. */
  mayAct: MayAct;
}

/** Names of the mirrors below a folder, without `.git`; mirrors themselves are not entered. */
async function listMirrorFolders(dir: string, prefix: string): Promise<string[]> {
  if (!existsSync(dir)) return [];
  const entries = (await readdir(dir, { withFileTypes: true })).filter(
    (entry) => entry.isDirectory() && !entry.name.startsWith('.'),
  );
  const folders = entries.map(({ name }) =>
    name.endsWith('.git')
      ? [`${prefix}${name.slice(0, -4)}`]
      : listMirrorFolders(join(dir, name), `${prefix}${name}/`),
  );
  return (await Promise.all(folders)).flat();
}

/**
 * Bare mirrors of a remote forge's repositories. Their branches are the forge's as last seen, and
 * never svc's own. Jobs clone from here, so a checkout needs neither the network nor a login.
 */
export class Mirrors {
  readonly #dir: string;
  readonly #options: MirrorsOptions;
  readonly #turns = new KeyedQueue();

  constructor(options: MirrorsOptions) {
    this.#dir = options.dir;
    this.#options = options;
  }

  /** Work in progress of jobs, in refs of the forge. `toSlug`: the name of a mirror; default: the same. */
  workRefs(toSlug = (slug: string): string => slug): WorkRefs {
    return createMirrorWorkRefs({
      mayAct: this.#options.mayAct,
      use: (name, act) => {
        const slug = checkSlug(toSlug(name));
        return this.#runAlone(slug, async () => {
          const { path } = this.#known(slug) ?? (await this.#fetch(slug));
          return act(path, await this.#askForge(slug));
        });
      },
    });
  }

  /** What checkouts need beside a mirror. `toSlug`: the name of a repository at the forge; default: the same. */
  contents(toSlug = (slug: string): string => slug): CheckoutContents {
    return createMirrorContents({
      network: async (name) => this.#options.network(checkSlug(toSlug(name))),
      renewed: async (name, refused) =>
        (await this.#options.renewLogin?.(checkSlug(toSlug(name)), refused)) ?? null,
      git: (name, network, args, signal) => this.#git(name, network, args, signal),
    });
  }

  async all(): Promise<ForgeRepo[]> {
    const slugs = await listMirrorFolders(this.#dir, '');
    return slugs.sort().flatMap((slug) => this.#known(slug) ?? []);
  }

  known(slug: string): ForgeRepo | null {
    return this.#known(checkSlug(slug));
  }

  /**
   * Brings the mirror up to date, or makes it. Throws SvcError `not-found`, `forbidden`,
   * `unreachable` or `config-invalid` that name the repository and the server, never the login.
   */
  fetch(slug: string): Promise<ForgeRepo> {
    checkSlug(slug);
    return this.#runAlone(slug, () => this.#fetch(slug));
  }

  /**
   * Brings a branch of a checkout to the forge, never by force. Throws SvcError `bad-argument` for
   * a branch that the checkout does not have, `conflict` for the default branch and when the
   * forge's branch has other commits or is protected, and what `fetch` throws.
   */
  push(slug: string, checkoutDir: string, branch: string): Promise<void> {
    checkBranch(branch);
    return this.#runAlone(slug, async () => {
      const network = await this.#options.network(slug);
      const path = this.#toFilePath(slug);
      const { defaultBranch } = existsSync(path)
        ? (this.#known(slug) ?? (await this.#fetch(slug)))
        : await this.#fetch(slug);
      if (branch === defaultBranch) {
        throw new SvcError(
          'conflict',
          `${branch} is the default branch of ${slug}, which changes only by merges: commit to a separate branch (\`git switch -c <name>\`).`,
        );
      }
      // A ref for the push alone, forced: the mirror's branches are the forge's, and what was
      // pushed before may have been rebased. Named by a hash, since the name of an earlier branch
      // may exclude this one.
      const pushRef = `refs/svc/push/${sha256(branch).slice(0, PUSH_NAME_CHARS)}`;
      const { exitCode, stderr } = await takeBranch({
        checkoutDir,
        gitDir: path,
        branch,
        as: pushRef,
        force: true,
      });
      if (exitCode !== 0)
        throw (
          explainGitProblem('git fetch', stderr) ??
          new SvcError(
            'internal',
            `Branch ${branch} could not be read from the checkout: ${stderr.trim()}`,
          )
        );
      await this.#options.mayAct();
      const push = this.#git(slug, network, [
        '--git-dir',
        path,
        'push',
        '--quiet',
        '--no-verify',
        '--',
        network.url,
        `${pushRef}:refs/heads/${branch}`,
      ]);
      await push.catch(async (error: unknown) => {
        // Servers word it differently; after a fetch the branch in the way is known.
        if (NAME_CONFLICT.test(toErrorMessage(error))) {
          await this.#fill(slug, path, defaultBranch);
          await refuseExcludedBranch(path, branch);
        }
        throw error;
      });
    });
  }

  /**
   * Brings the mirror up to date and reads from it before anything else changes it. `more`: a ref that
   * the forge has beside the branches of the repository, such as that of a pull request or a branch of a fork; null =
   * none is wanted. Throws what `fetch` throws.
   */
  read<T>(
    slug: string,
    more: { slug: string; ref: string } | null,
    read: (gitDir: string) => Promise<T>,
  ): Promise<T> {
    checkSlug(slug);
    if (more !== null) checkSlug(more.slug);
    return this.#runAlone(slug, async () => {
      const { path } = await this.#fetch(slug);
      if (more !== null) await this.#fetchInto(more.slug, path, [`+${more.ref}:refs/svc/read`]);
      return read(path);
    });
  }

  /**
   * Removes the mirror, if the forge has every commit that it names. Throws what `fetch` throws where
   * the forge cannot be asked.
   */
  drop(slug: string, request: DropRequest): Promise<DropResult> {
    checkSlug(slug);
    return this.#runAlone(slug, async () => {
      const path = this.#toFilePath(slug);
      if (!existsSync(path)) return { bytes: 0 };
      const ask = await this.#askForge(slug);
      return dropMirror({ ...request, path, createName: randomIds.next, ask });
    });
  }

  async #askForge(slug: string) {
    const network = await this.#options.network(slug);
    return (args: readonly string[], ...last: string[]): Promise<string> =>
      this.#git(slug, network, [...args, network.url, ...last]);
  }

  #known(slug: string): ForgeRepo | null {
    const path = this.#toFilePath(slug);
    if (!existsSync(path)) return null;
    return { slug, path, defaultBranch: readHeadBranch(openRepository(path)) ?? '' };
  }

  /** In lower case: a forge that ignores case must not get two mirrors. */
  readonly #toFilePath = (slug: string): string => join(this.#dir, `${slug.toLowerCase()}.git`);

  async #fetch(slug: string): Promise<ForgeRepo> {
    const network = await this.#options.network(slug);
    const branch = await this.#defaultBranch(slug, network);
    const path = this.#toFilePath(slug);
    if (existsSync(path)) await this.#fill(slug, path, branch);
    else await this.#make(slug, path, branch);
    return { slug, path, defaultBranch: branch };
  }

  /** Renamed into place when it is complete, since others may look at it meanwhile. */
  async #make(slug: string, path: string, branch: string): Promise<void> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const draft = await mkdtemp(join(dirname(path), '.making-'));
    try {
      await runGit(['init', '--quiet', '--bare', '--template=', draft]);
      await this.#fill(slug, draft, branch);
      await rename(draft, path);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  }

  async #fill(slug: string, path: string, branch: string): Promise<void> {
    await this.#fetchInto(slug, path, ['+refs/heads/*:refs/heads/*'], ['--prune']);
    await runGit(['--git-dir', path, 'symbolic-ref', 'HEAD', `refs/heads/${branch}`]);
  }

  async #fetchInto(
    slug: string,
    path: string,
    refs: readonly string[],
    flags: readonly string[] = [],
  ): Promise<void> {
    const network = await this.#options.network(slug);
    await this.#git(slug, network, [
      '--git-dir',
      path,
      ...FETCH_CHECKS,
      'fetch',
      '--quiet',
      ...flags,
      '--no-tags',
      '--no-recurse-submodules',
      '--no-write-fetch-head',
      // If the server's own history is cut, so is the mirror's.
      '--update-shallow',
      '--',
      network.url,
      ...refs,
    ]);
  }

  async #defaultBranch(slug: string, network: GitNetwork): Promise<string> {
    const remoteRefs = await this.#git(slug, network, [
      'ls-remote',
      '--symref',
      '--',
      network.url,
      'HEAD',
    ]);
    const branch = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(remoteRefs)?.[1];
    if (branch === undefined) {
      throw new SvcError(
        'not-found',
        `${slug} has no commit on its default branch: create its first commit on the forge.`,
      );
    }
    return checkBranch(branch, 'default branch of the forge');
  }

  /** `args` include the address of the network. A refused login is renewed once. */
  async #git(
    slug: string,
    network: GitNetwork,
    args: readonly string[],
    signal?: AbortSignal,
  ): Promise<string> {
    const run = (at: GitNetwork) => runAtPresentAddress(at, args, signal);
    const first = await run(network);
    const isRefused = first.exitCode !== 0 && REFUSED_LOGIN.test(first.stderr);
    const other = isRefused ? await this.#options.renewLogin?.(slug, network) : null;
    const { stdout, stderr, exitCode } = other ? await run(other) : first;
    if (exitCode === 0) return stdout;
    const secrets = [network.password, other?.password ?? ''];
    throw explainTransfer(slug, network, screenSecretForms(secrets)(stderr).trim());
  }

  #runAlone<T>(slug: string, act: () => Promise<T>): Promise<T> {
    return this.#turns.run(slug.toLowerCase(), act);
  }
}

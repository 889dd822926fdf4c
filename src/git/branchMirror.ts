import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { SvcError } from '../base/errors/errors.ts';
import { FETCH_CHECKS } from './fetchChecks.ts';
import { runGit, removeUrlCredentials } from './runGit.ts';
import { checkBranch } from './gitNames.ts';

export const FETCH_TIMEOUT_MS = 30_000;

/** The newest fetched commit, and the newest usable one. */
const [TIP, GOOD] = ['refs/svc/tip', 'refs/svc/good'];

export interface BranchSource {
  /** `https://`, `http://`, `ssh://` or `file://`, without a password. */
  url: string;
  /** A branch, or the whole sha of a commit; null = the default branch. */
  ref: string | null;
  /** Login for https; empty = none. */
  username: string;
  password: string;
  /** For ssh: socket of the agent with the keys; null = none. */
  sshAuthSock: string | null;
}

/**
 * The newest commit of a branch of another repository, without its history, in a bare repository on
 * this disk.
 */
export class BranchMirror {
  readonly dir: string;
  readonly #source: BranchSource;

  constructor(dir: string, source: BranchSource) {
    this.dir = dir;
    this.#source = source;
  }

  /**
   * Fetches and answers the commit. Redirects and submodules are not followed, nothing of the
   * repository is run. Throws SvcError that names the address without a login.
   */
  async fetch(): Promise<string> {
    const { url, ref, username, password, sshAuthSock } = this.#source;
    const isCommit = ref !== null && /^[0-9a-f]{40}$/.test(ref);
    const revision =
      ref === null
        ? 'HEAD'
        : isCommit
          ? ref
          : `refs/heads/${checkBranch(ref, 'ref of the overlay')}`;
    if (!existsSync(this.dir)) {
      await mkdir(this.dir, { recursive: true, mode: 0o700 });
      await runGit(['init', '--quiet', '--bare', '--template=', this.dir]);
    }
    const { exitCode, stderr } = await runGit(
      [
        '--git-dir',
        this.dir,
        ...FETCH_CHECKS,
        'fetch',
        '--quiet',
        '--no-tags',
        '--depth=1',
        '--no-recurse-submodules',
        '--no-write-fetch-head',
        '--',
        url,
        `+${revision}:${TIP}`,
      ],
      {
        network: { url, username, password },
        // A prompt that no one answers would block every job.
        env: {
          GIT_SSH_COMMAND: 'ssh -o BatchMode=yes -o ConnectTimeout=10',
          ...(sshAuthSock === null ? {} : { SSH_AUTH_SOCK: sshAuthSock }),
        },
        timeoutMs: FETCH_TIMEOUT_MS,
        answers: [1, 128],
      },
    );
    if (exitCode !== 0) {
      const errorText = removeUrlCredentials(
        password === '' ? stderr : stderr.replaceAll(password, '***'),
      ).trim();
      throw new SvcError(
        'unreachable',
        errorText.split('\n').slice(-3).join(' ') || 'git said nothing',
      );
    }
    const commit = await this.#commitAt(TIP);
    if (commit === null)
      throw new SvcError('internal', `${this.dir} is missing the fetched commits.`);
    return commit;
  }

  /** The newest commit that was kept as usable; null = none. */
  good(): Promise<string | null> {
    return existsSync(this.dir) ? this.#commitAt(GOOD) : Promise.resolve(null);
  }

  /** Keeps a commit as usable: it stays on this disk. */
  async keep(commit: string): Promise<void> {
    await runGit(['--git-dir', this.dir, 'update-ref', GOOD, commit]);
  }

  async #commitAt(ref: string): Promise<string | null> {
    const args = ['--git-dir', this.dir, 'rev-parse', '--verify', '--quiet', `${ref}^{commit}`];
    const { stdout, exitCode } = await runGit(args, { answers: [1, 128] });
    return exitCode === 0 ? stdout.trim() : null;
  }
}

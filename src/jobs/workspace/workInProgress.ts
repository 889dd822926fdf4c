import { existsSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KeyedQueue } from '../../base/concurrency/keyedQueue.ts';
import { SvcError, toErrorMessage } from '../../base/errors/errors.ts';
import type { SecretStream } from '../../base/secrets/secretStream.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { Settings } from '../../contract/schema/runner/settings.ts';
import { type CommittedWork, withCommittedWork } from '../../git/work/withCommittedWork.ts';
import { withScreenedBranch } from '../../git/withScreenedBranch.ts';
import { findSecretTokens } from '../../base/secrets/secretPatterns.ts';
import { type Forges, type JobRepo, resolveForge } from '../../providers/forges.ts';

/** In the folder of a job that may have a ref. Only its existence counts: agents may write here. */
export const WORK_MARK = '_work-in-progress';
/** How long the end of a session waits for its work to be pushed, ms; then it is pushed beside the next one. */
const MOST_WAIT_MS = 60_000;

export const toWorkRef = (jobId: string): string =>
  `refs/svc/wip/${jobId.replace(/[^A-Za-z0-9-]/g, '-')}`;

interface WorkInProgressDeps {
  settings: Pick<Settings, 'mode' | 'paths'> & { cloud: Pick<Settings['cloud'], 'wipRef'> };
  forges: Forges;
  clock: Clock;
  screen(text: string): string;
  stream(): SecretStream;
}

/** Keeps the files of jobs at their forges, so that another machine can continue with them. */
export class WorkInProgress {
  readonly #deps: WorkInProgressDeps;
  readonly #turns = new KeyedQueue();
  /** What was pushed last, by job. */
  readonly #pushed = new Map<string, string>();

  constructor(deps: WorkInProgressDeps) {
    this.#deps = deps;
  }

  /**
   * Pushes the files of a checkout if they have changed. Answers why not, for the job's log; null = they are pushed, or
   * cloud.wipRef is off. Never rejects, and waits at most {@link MOST_WAIT_MS}.
   */
  save(jobId: string, repo: JobRepo, checkoutDir: string): Promise<string | null> {
    const { settings, clock } = this.#deps;
    if (!settings.cloud.wipRef || settings.mode === 'local') return Promise.resolve(null);
    const push = this.#turns
      .run(jobId, () => this.#push(jobId, repo, checkoutDir))
      .then(
        () => null,
        (error: unknown) => `The work in progress was not pushed: ${this.#explain(error)}.`,
      );
    return new Promise((resolve) => {
      const late = 'The work in progress is still being pushed.';
      const cancel = clock.at(clock.now() + MOST_WAIT_MS, () => resolve(late));
      void push.then(resolve).finally(cancel);
    });
  }

  /** Removes the pushed branches of an ended job. Throws SvcError where the forge cannot be asked; the next start tries again. */
  remove(jobId: string, repo: JobRepo): Promise<void> {
    const mark = join(this.#deps.settings.paths.workingDir, jobId, WORK_MARK);
    if (!existsSync(mark)) return Promise.resolve();
    return this.#turns.run(jobId, async () => {
      await resolveForge(this.#deps.forges, repo).workRefs?.remove(repo.slug, toWorkRef(jobId));
      this.#pushed.delete(jobId);
      await rm(mark, { force: true });
    });
  }

  /** Jobs whose folder on this disk says that their work was pushed. */
  async listJobs(): Promise<string[]> {
    const { workingDir } = this.#deps.settings.paths;
    const jobs = await readdir(workingDir).catch(() => []);
    return jobs.filter((jobId) => existsSync(join(workingDir, jobId, WORK_MARK)));
  }

  async #push(jobId: string, repo: JobRepo, checkoutDir: string): Promise<void> {
    const { forges, clock, settings } = this.#deps;
    const forge = resolveForge(forges, repo);
    const { workRefs } = forge;
    if (workRefs === undefined) throw new SvcError('cannot-run', `${forge.id} keeps no such refs`);
    const source =
      (await forge.source(repo.slug, { fresh: false })) ??
      (await forge.source(repo.slug, { fresh: true }));
    if (source === null) throw new SvcError('not-found', `repository ${repo.slug} not found`);
    const request = { jobId, checkoutDir, repoPath: source.path, at: clock.now() };
    await withCommittedWork(request, async (work) => {
      if (this.#pushed.get(jobId) === work.state) return;
      await this.#pushScreened(work, source.path, async (dir) => {
        // Before the push: a runner that is killed in between has to remove the ref all the same.
        await writeFile(join(settings.paths.workingDir, jobId, WORK_MARK), '', { mode: 0o600 });
        await workRefs.push(repo.slug, toWorkRef(jobId), { dir, branch: work.branch });
      });
      this.#pushed.set(jobId, work.state);
    });
  }

  /** No person is asked about what looks like a token: it does not go out. */
  #pushScreened(
    { dir, branch }: CommittedWork,
    repoPath: string,
    push: (dir: string) => Promise<void>,
  ): Promise<void> {
    const { screen, stream } = this.#deps;
    const request = { checkoutDir: dir, branch, repoPath, findTokens: findSecretTokens };
    return withScreenedBranch({ ...request, screen, stream }, async (safeBranch, tokens) => {
      const [first] = tokens;
      if (first !== undefined)
        throw new SvcError('forbidden', `it looks like it holds ${first.kind}: ${first.place}`);
      await push(safeBranch);
    });
  }

  #explain(error: unknown): string {
    const places = error instanceof SvcError ? error.data?.places : undefined;
    const reason =
      typeof places === 'string'
        ? `it holds a value that svc keeps secret (${places})`
        : toErrorMessage(error);
    return this.#deps.screen(reason).replace(/\.$/, '');
  }
}

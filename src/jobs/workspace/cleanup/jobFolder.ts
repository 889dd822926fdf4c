import { renameSync } from 'node:fs';
import { readdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { toErrorMessage } from '../../../base/errors/errors.ts';
import { toCheckoutDir } from '../../../git/checkout.ts';
import { COPY_FOLDERS } from '../artefactFiles.ts';
import { keepWork } from '../../../git/cleanup/keepWork.ts';
import type { CleanupFindings } from './holding.ts';
import { surveyTree, removeTree } from '../../../git/cleanup/tree.ts';

/**
 * A checkout that was set aside: no agent works in it any more, and its work is saved again before
 * it is removed.
 */
const ASIDE = '.gc-';

/** `suffix`: 16 characters of [0-9a-z] that make the name unique. */
export const toAsideName = (checkout: string, suffix: string): string =>
  `${ASIDE}${checkout}.${suffix}`;
/** Whether the name is that of this checkout, set aside. */
export const isAsideName = (name: string, checkout: string): boolean =>
  name.startsWith(`${ASIDE}${checkout}.`);

/** Everything in it is saved: it only has to be removed. */
const GONE = '.gone-';
const HALF_MADE = /^\..+\.cloning/;
/** What the runner writes itself and agents do not work in. */
const OURS =
  /^(_intelligence(\.hash|\.next|\.old)?|_sessions|_layers|_lost-work|_work-in-progress|contracts)$/;
/** HOME and TMPDIR of the agents, and copies of artefacts. */
const AGENTS_OWN: ReadonlySet<string> = new Set(['home', 'tmp', ...COPY_FOLDERS]);

/** The moments at which the runner may be killed. */
export type JobFolderStep = 'saved' | 'aside' | 'saved-again' | 'gone' | 'removed';

export interface EndedJob {
  id: string;
  /** Epoch ms. */
  endedAt: number;
  slug: string | null;
  /** Where its work is saved; null = not on this disk. */
  repository: { path: string; gitDir: string } | null;
}

export interface JobFolderDeps {
  dryRun: boolean;
  /** Checked right before a folder is removed: a job may be rerun at any time. */
  hasEnded(jobId: string): boolean;
  /** Suffix that makes names unique: 16 characters of [0-9a-z]. */
  createName(): string;
  /** Default: nothing. */
  onStep?(step: JobFolderStep): void;
}

/**
 * Removes the folder of one ended job. The runner may be killed at every step; the next run finds
 * what is left.
 */
export class JobFolder {
  readonly #dir: string;
  readonly #job: EndedJob;
  readonly #deps: JobFolderDeps;
  readonly #found: CleanupFindings = { removed: [], kept: [], left: [] };

  constructor(dir: string, job: EndedJob, deps: JobFolderDeps) {
    this.#dir = dir;
    this.#job = job;
    this.#deps = deps;
  }

  async clear(): Promise<CleanupFindings> {
    const { slug } = this.#job;
    const checkout = slug === null ? null : toCheckoutDir(slug);
    for (const name of (await readdir(this.#dir)).sort()) {
      if (name.startsWith(GONE)) await this.#remove(name);
      else if (name.startsWith(ASIDE)) await this.#clearAside(name);
      else if (name === checkout) await this.#clearCheckout(name);
      else if (OURS.test(name) || HALF_MADE.test(name)) await this.#drop(name);
      else if (AGENTS_OWN.has(name)) await this.#clearAgentsOwn(name);
      else this.#leave(name, 'svc did not create it');
    }
    if (!this.#deps.dryRun) await rmdir(this.#dir).catch(() => undefined);
    return this.#found;
  }

  #leave(name: string, reason: string): void {
    this.#found.left.push({ jobId: this.#job.id, path: join(this.#dir, name), reason });
  }

  /** Saves its content; false = it has to stay. */
  async #save(name: string): Promise<boolean> {
    const { id, endedAt, repository } = this.#job;
    if (repository === null) {
      this.#leave(name, 'its repository is no longer configured, so its work cannot be saved');
      return false;
    }
    const checkoutDir = join(this.#dir, name);
    const keepResult = await keepWork({
      jobId: id,
      checkoutDir,
      repository,
      at: endedAt,
      dryRun: this.#deps.dryRun,
    });
    if ('problem' in keepResult) {
      this.#leave(name, keepResult.problem);
      return false;
    }
    const keptRefs = new Set(this.#found.kept.map(({ ref }) => ref));
    this.#found.kept.push(...keepResult.kept.filter(({ ref }) => !keptRefs.has(ref)));
    return true;
  }

  async #clearCheckout(name: string): Promise<void> {
    if (!(await this.#save(name))) return;
    this.#deps.onStep?.('saved');
    if (this.#deps.dryRun) return this.#count(name);
    const aside = this.#rename(name, ASIDE);
    if (aside === null) return;
    this.#deps.onStep?.('aside');
    await this.#clearAside(aside);
  }

  async #clearAside(name: string): Promise<void> {
    // A process may have written into it since the first check.
    if (!(await this.#save(name))) return;
    this.#deps.onStep?.('saved-again');
    await this.#drop(name);
  }

  async #clearAgentsOwn(name: string): Promise<void> {
    const { repository } = await surveyTree(join(this.#dir, name));
    if (repository === null) return this.#drop(name);
    this.#leave(
      name,
      `it contains a git repository, and svc does not know whether its work is pushed: ${repository}`,
    );
  }

  /** Nothing in it has to be saved. */
  async #drop(name: string): Promise<void> {
    if (this.#deps.dryRun) return this.#count(name);
    const removedPath = this.#rename(name, GONE);
    if (removedPath === null) return;
    this.#deps.onStep?.('gone');
    await this.#remove(removedPath);
    this.#deps.onStep?.('removed');
  }

  /**
   * Renames in the same step as the check that the job has ended: an agent that begins now finds
   * its folder or creates a new one.
   */
  #rename(name: string, prefix: string): string | null {
    if (!this.#deps.hasEnded(this.#job.id)) {
      this.#leave(name, 'the job was rerun meanwhile');
      return null;
    }
    const removalName = `${prefix}${stripRemovalMark(name)}.${this.#deps.createName()}`;
    renameSync(join(this.#dir, name), join(this.#dir, removalName));
    return removalName;
  }

  async #count(name: string): Promise<void> {
    const path = join(this.#dir, name);
    const { bytes } = await surveyTree(path);
    this.#found.removed.push({ kind: 'checkouts', jobId: this.#job.id, path, bytes });
  }

  async #remove(name: string): Promise<void> {
    if (this.#deps.dryRun) return this.#count(name);
    const path = join(this.#dir, name);
    const { bytes } = await surveyTree(path);
    try {
      await removeTree(path);
      this.#found.removed.push({
        kind: 'checkouts',
        jobId: this.#job.id,
        path: join(this.#dir, stripRemovalMark(name)),
        bytes,
      });
    } catch (error) {
      this.#leave(name, `it cannot be removed: ${toErrorMessage(error)}`);
    }
  }
}

const stripRemovalMark = (name: string): string =>
  name.replace(/^\.(gc|gone)-(.+)\.[0-9a-z]{16}$/, '$2');

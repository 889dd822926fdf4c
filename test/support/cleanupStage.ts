import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { randomIds } from '../../src/base/system/ids/ids.ts';
import { TaskLock } from '../../src/base/concurrency/taskLock.ts';
import { createCheckoutHolding } from '../../src/jobs/workspace/cleanup/cleanupService.ts';
import { type CollectDeps, Collector } from '../../src/jobs/workspace/cleanup/collector.ts';
import type { Holding } from '../../src/jobs/workspace/cleanup/holding.ts';
import { DEFAULT_RETENTION } from '../../src/base/settings/retention.ts';
import type { Settings } from '../../src/contract/schema/runner/settings.ts';
import type { JobFolderStep } from '../../src/jobs/workspace/cleanup/jobFolder.ts';
import type { GcBody, GcReply } from '../../src/contract/schema/runner/gc.ts';
import { ensureCheckout } from '../../src/git/checkout.ts';
import { type GitRepository, git, makeGitRepository } from './gitRepository.ts';

export const NOW = Date.UTC(2026, 5, 1);
const DAY_MS = 86_400_000;

const NOTHING: Holding = {
  look: async () => ({ things: [], total: 0 }),
  mayGo: () => false,
  remove: async () => ({}),
};

interface Standing {
  ended: boolean;
  /** Days since it ended, or began to be as it is. */
  days: number;
}

/** A folder of jobs with checkouts of one repository, and the cleanup of it. */
export class CleanupStage {
  readonly root = mkdtempSync(join(tmpdir(), 'svc-gc-stage-'));
  readonly workingDir = join(this.root, 'work');
  readonly tmpDir = join(this.root, 'tmp');
  readonly mirrorsDir = join(this.root, 'mirrors');
  readonly repo: GitRepository = makeGitRepository({ bare: true });
  readonly jobs = new Map<string, Standing>();
  retention: Settings['retention'] = { everyMs: null, ...DEFAULT_RETENTION };
  /** Replaces the ones that hold nothing. */
  holdings: Partial<CollectDeps['holdings']> = {};
  repository: { path: string; gitDir: string } | null = {
    path: this.repo.path,
    gitDir: this.repo.path,
  };
  reached: (step: JobFolderStep) => void = () => {};
  /** How far the clock advances with each look at it, ms. */
  pace = 0;
  #now = NOW;

  constructor() {
    for (const dir of [this.workingDir, this.tmpDir, this.mirrorsDir]) mkdirSync(dir);
  }

  /** A job with everything that svc makes; its checkout has an unpushed commit and a new file. */
  async job(id: string, standing: Standing): Promise<void> {
    this.jobs.set(id, standing);
    const jobDir = join(this.workingDir, id);
    const { absDir } = await ensureCheckout({
      repoPath: this.repo.path,
      jobDir,
      slug: 'shop',
      baseBranch: 'main',
    });
    git(absDir, ['switch', '--quiet', '-c', 'topic']);
    this.write(join(absDir, 'committed.txt'), id);
    git(absDir, ['add', '--all']);
    git(absDir, ['commit', '--quiet', '-m', 'work']);
    this.write(join(absDir, 'new.txt'), id);
    for (const path of [
      '_intelligence/workflows/job.md',
      '_intelligence.hash',
      '_sessions/1.1/session.json',
      'home/.cache/x',
      'tmp/y',
      'contracts/a.json',
    ])
      this.write(join(jobDir, path), 'x');
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  path(...names: string[]): string {
    return join(this.workingDir, ...names);
  }

  readonly upkeep = new TaskLock();
  /** Jobs whose folders are gone. */
  readonly released: string[] = [];
  /** Called before a folder is removed. */
  tornDown: (jobId: string) => void = () => {};

  collector(): Collector {
    const folders = createCheckoutHolding({
      workingDir: this.workingDir,
      createName: randomIds.next,
      findStanding: (id) => {
        const job = this.jobs.get(id);
        return job ? { ended: job.ended, since: NOW - job.days * DAY_MS } : null;
      },
      hasEnded: (id) => this.jobs.get(id)?.ended ?? false,
      job: async (id, endedAt) => ({ id, endedAt, slug: 'shop', repository: this.repository }),
      onStep: (step) => this.reached(step),
      prepareRemoval: async (id) => this.tornDown(id),
      release: async (id) => void this.released.push(id),
    });
    const deps: CollectDeps = {
      upkeep: this.upkeep,
      settings: { retention: this.retention },
      tmpDir: this.tmpDir,
      mirrorsDir: this.mirrorsDir,
      giveBack: async () => 0,
      now: () => {
        this.#now += this.pace;
        return this.#now;
      },
      holdings: {
        checkouts: folders,
        logs: NOTHING,
        archives: NOTHING,
        artefacts: NOTHING,
        mirrors: NOTHING,
        ...this.holdings,
      },
    };
    return new Collector(deps);
  }

  collect(body: GcBody = {}): Promise<GcReply> {
    return this.collector().collect(body);
  }

  /** What each kept ref holds, `<job> <what> <files>`. */
  kept(): string[] {
    const refs = this.repo
      .git('for-each-ref', '--format=%(refname)', 'refs/svc/kept')
      .split('\n')
      .filter(Boolean);
    return refs.map((ref) => {
      const [job, , ...name] = ref.split('/').slice(3);
      const files = this.repo.git('ls-tree', '-r', '--name-only', ref).split('\n');
      return `${job} ${name.join('/')} ${files.filter((file) => file !== 'README.md').join('+')}`;
    });
  }

  [Symbol.dispose](): void {
    this.repo.remove();
    rmSync(this.root, { recursive: true, force: true });
  }
}

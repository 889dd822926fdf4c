import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ensureCheckout } from '../../../src/git/checkout.ts';
import { type KeepResult, keepWork } from '../../../src/git/cleanup/keepWork.ts';
import { type GitRepository, git, makeGitRepository } from '../gitRepository.ts';

export const KEEP_AT = Date.UTC(2026, 0, 2);
export const KEPT_JOB = 'shop-job-1';

export class AgentCheckout {
  readonly root: string;
  readonly repo: GitRepository;
  readonly dir: string;

  private constructor(root: string, repo: GitRepository, dir: string) {
    this.root = root;
    this.repo = repo;
    this.dir = dir;
  }

  static async make(): Promise<AgentCheckout> {
    const root = mkdtempSync(join(tmpdir(), 'svc-agent-checkout-'));
    const repo = makeGitRepository({ bare: true });
    repo.commit({ 'README.md': '# Shop\n', '.gitignore': 'ignored/\n*.log\n' });
    const { absDir } = await ensureCheckout({
      repoPath: repo.path,
      jobDir: join(root, KEPT_JOB),
      slug: 'shop',
      baseBranch: 'main',
    });
    return new AgentCheckout(root, repo, absDir);
  }

  git(...args: string[]): string {
    return git(this.dir, args);
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.dir, path)), { recursive: true });
    writeFileSync(join(this.dir, path), text);
  }

  commit(path: string, text: string): string {
    this.write(path, text);
    this.git('add', '--all');
    this.git('commit', '--quiet', '-m', `add ${path}`);
    return this.git('rev-parse', 'HEAD');
  }

  keep(dryRun = false): Promise<KeepResult> {
    const { path } = this.repo;
    return keepWork({
      jobId: KEPT_JOB,
      checkoutDir: this.dir,
      repository: { path, gitDir: path },
      at: KEEP_AT,
      dryRun,
    });
  }

  /** Refs of kept work by name without the commit: their files beside README.md and .gitignore. */
  keptFiles(): Record<string, string[]> {
    const refs = this.repo
      .git('for-each-ref', '--format=%(refname)', 'refs/svc/kept')
      .split('\n')
      .filter(Boolean);
    return Object.fromEntries(
      refs.map((ref) => [
        ref.split('/').slice(5).join('/'),
        this.repo
          .git('ls-tree', '-r', '--name-only', ref)
          .split('\n')
          .filter((name) => name !== 'README.md' && name !== '.gitignore'),
      ]),
    );
  }

  [Symbol.dispose](): void {
    this.repo.remove();
    rmSync(this.root, { recursive: true, force: true });
  }
}

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { MIGRATIONS } from '../../src/jobs/store/migrations/migrations.ts';
import { Story } from './story.ts';

const FOLDER = join(import.meta.dirname, '..', 'fixtures', 'homes');

/** A story on the home of an older release whose runner was killed, with its jobs' ids by name. */
export function releasedHome(release: string): {
  story: Story;
  jobs: Readonly<Record<string, string>>;
} {
  const recorded = join(FOLDER, release);
  const story = new Story({
    workflow: '',
    programs: {},
    config: { runner: { maxConcurrentJobs: 3, stopGraceSeconds: 1 } },
  });
  const tenant = join(story.dir, 'tenant');
  rmSync(tenant, { recursive: true });
  cpSync(join(recorded, 'team'), tenant, { recursive: true });
  cpSync(join(recorded, 'blobs'), join(story.home, 'blobs'), { recursive: true });
  rmSync(story.repository, { recursive: true });
  git('clone', '--quiet', '--mirror', join(recorded, 'repo.bundle'), story.repository);
  restoreStore(
    join(story.home, 'state.db'),
    readFileSync(join(recorded, 'state.sql'), 'utf8').replaceAll('@DIR@', story.dir),
  );
  return { story, jobs: JSON.parse(readFileSync(join(recorded, 'jobs.json'), 'utf8')) };
}

const git = (...args: string[]): string =>
  execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

/** Writes the rows into a store of their version, and gives each job the checkout of its row. */
function restoreStore(file: string, rows: string): void {
  const version = Number(/^-- user_version (\d+)$/m.exec(rows)?.[1]);
  const db = new DatabaseSync(file);
  try {
    for (const migration of MIGRATIONS.slice(0, version)) db.exec(migration);
    db.exec(`${rows}\nPRAGMA user_version = ${version}`);
    const checkouts = db.prepare(
      `SELECT DISTINCT json_extract(snapshot, '$.context.params.repoCheckoutAbsDir') AS dir FROM actors
       WHERE chart = 'job' AND activity <> 'ended'`,
    );
    for (const { dir } of checkouts.all() as { dir: string | null }[])
      if (dir !== null) cloneInto(dir);
  } finally {
    db.close();
  }
}

/**
 * A clone with every branch of the forge as a branch of its own: a job's work is on one of them.
 */
function cloneInto(dir: string): void {
  if (existsSync(dir)) return;
  git('clone', '--quiet', join(dir, '..', '..', '..', '..', 'repo.git'), dir);
  git('-C', dir, 'config', 'user.name', 'svc agent');
  git('-C', dir, 'config', 'user.email', 'agent@svc.invalid');
  const branches = git(
    '-C',
    dir,
    'for-each-ref',
    '--format=%(refname:lstrip=3)',
    'refs/remotes/origin/change-*',
  );
  for (const branch of branches.split('\n').filter(Boolean))
    git('-C', dir, 'branch', '--quiet', branch, `origin/${branch}`);
}

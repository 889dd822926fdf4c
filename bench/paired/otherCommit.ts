import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** Longest step of making it, ms. */
const STEP_MS = 900_000;
/** Bytes of the sources as an archive, at most. */
const ARCHIVE_BYTES = 512 * 1024 * 1024;

const COMMITS = join(homedir(), '.cache', 'svc-peers', 'commits');

function run(program: string, args: string[], cwd: string, input?: Buffer): void {
  const options = { cwd, timeout: STEP_MS, encoding: 'utf8' } as const;
  const { status, stderr, error } = spawnSync(program, args, {
    ...options,
    ...(input && { input }),
  });
  if (status === 0) return;
  const why = error?.message ?? stderr.trim().split('\n').slice(-5).join('\n');
  throw new Error(`${program} ${args.join(' ')} failed in ${cwd}:\n${why}`);
}

/** The whole hash of a commit; throws where this repository has none. */
export function commitOf(name: string): string {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`This repository has no commit ${name}.`);
  return stdout.trim();
}

/**
 * Folder of another commit of svc with its packages and built programs, made once and kept: below
 * ~/.cache/svc-peers, so that nothing of it is found from this tree.
 */
export function otherCommit(hash: string, note: (line: string) => void): string {
  const folder = join(COMMITS, hash);
  if (existsSync(join(folder, 'dist', 'runner'))) return folder;
  mkdirSync(COMMITS, { recursive: true });
  const draft = mkdtempSync(join(COMMITS, 'draft-'));
  try {
    note(`making commit ${hash.slice(0, 8)} in ${folder}: npm ci, then its build`);
    const archive = execFileSync('git', ['archive', hash], { maxBuffer: ARCHIVE_BYTES });
    run('tar', ['-x'], draft, archive);
    run('npm', ['ci', '--no-audit', '--no-fund'], draft);
    run('npm', ['run', 'build', '--', '--no-ui', '--quiet'], draft);
    rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
  } finally {
    if (dirname(draft) === COMMITS) rmSync(draft, { recursive: true, force: true });
  }
  return folder;
}

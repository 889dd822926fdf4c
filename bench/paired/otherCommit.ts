import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Longest step of making it, ms. */
const STEP_MS = 900_000;
const ARCHIVE_BYTES = 512 * 1024 * 1024;
/** Lines of what a step printed that its error repeats. */
const LAST_LINES = 5;

const COMMITS = join(homedir(), '.cache', 'svc-peers', 'commits');
const DRAFT = 'draft-';

/** Runs a step to its end; it ends with this process. */
async function run(program: string, args: string[], cwd: string, input?: Buffer): Promise<void> {
  const child = spawn(program, args, { cwd, timeout: STEP_MS });
  const end = () => child.kill();
  process.once('exit', end);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      output += bytes;
    });
  // A program that ends early does not read all of its input; its exit code says what matters.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  try {
    const [code, signal] = await once(child, 'close');
    if (code === 0) return;
    const why = output.trim().split('\n').slice(-LAST_LINES).join('\n');
    throw new Error(`${program} ${args.join(' ')} ended with ${signal ?? code} in ${cwd}:\n${why}`);
  } finally {
    process.off('exit', end);
  }
}

/** The whole hash of a commit; null where this repository has none with this name. */
export function resolveCommit(name: string): string | null {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

/** Whether the process that makes a draft has ended; its id is in the draft's name. */
const isLeftOver = (name: string): boolean => {
  const pid = Number(/^draft-(\d+)-/.exec(name)?.[1] ?? Number.NaN);
  if (!name.startsWith(DRAFT)) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
};

/**
 * Folder of another commit of svc with its packages and built programs, made once and kept: below
 * ~/.cache/svc-peers, so that nothing of it is found from this tree.
 */
export async function otherCommit(hash: string, note: (line: string) => void): Promise<string> {
  const folder = join(COMMITS, hash);
  if (existsSync(join(folder, 'dist', 'runner'))) return folder;
  mkdirSync(COMMITS, { recursive: true });
  for (const name of readdirSync(COMMITS).filter(isLeftOver))
    rmSync(join(COMMITS, name), { recursive: true, force: true });
  const draft = mkdtempSync(join(COMMITS, `${DRAFT}${process.pid}-`));
  const remove = () => rmSync(draft, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    note(`making commit ${hash.slice(0, 8)} in ${folder}: npm ci, then its build`);
    const archive = execFileSync('git', ['archive', hash], { maxBuffer: ARCHIVE_BYTES });
    await run('tar', ['-x'], draft, archive);
    await run('npm', ['ci', '--no-audit', '--no-fund'], draft);
    await run('npm', ['run', 'build', '--', '--no-ui', '--quiet'], draft);
    rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
  } finally {
    process.off('exit', remove);
    remove();
  }
  return folder;
}

import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { toErrorMessage } from '../../base/errors/errors.ts';
import { prefixProgram } from './prefixProgram.ts';

/** Longest wait for the user's own command, ms: it may start a container. */
const TRY_MS = 10_000;

/** Longest output that is kept, characters. */
const MAX_SAID = 4_000;

/** Only a shell computes this; a command that prints its arguments does not. */
const TRIAL = { program: 'sh', args: ['-c', 'echo svc-$((6*7))'] };
const MARK = /^svc-42$/m;

const pickLastLine = (text: string): string => text.trim().split('\n').at(-1) ?? '';

interface PrefixTrial {
  path: string | undefined;
  home: string;
  timeoutMs?: number;
}

/**
 * Whether the user's own command runs what is started behind it: sessions would seem to succeed
 * behind one that ends at once. Tried in an empty folder below `home`, svc's own, in place of a
 * job's. A clause = why not; null = it does. Never rejects.
 */
export async function tryPrefix(
  command: readonly string[],
  { path, home, timeoutMs = TRY_MS }: PrefixTrial,
): Promise<string | null> {
  const dir = await mkdtemp(join(home, 'sandbox-try-')).catch(() => null);
  if (dir === null) return 'there is no folder to test it in';
  try {
    return await runPrefixTrial(command, dir, { path, home, timeoutMs });
  } finally {
    await rm(dir, { recursive: true, force: true }).catch(() => {});
  }
}

const runPrefixTrial = (
  command: readonly string[],
  dir: string,
  { path, home, timeoutMs }: Required<PrefixTrial>,
): Promise<string | null> =>
  new Promise((resolve) => {
    const { program, args } = prefixProgram(command, TRIAL, { job: dir, cwd: dir, home });
    const child = spawn(program, [...args], {
      cwd: dir,
      env: { ...(path === undefined ? {} : { PATH: path }), HOME: dir, TMPDIR: dir },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = { out: '', err: '' };
    const over = (problem: string | null): void => {
      clearTimeout(timer);
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // The group is already gone.
      }
      child.stdout.destroy();
      child.stderr.destroy();
      resolve(problem);
    };
    const timer = setTimeout(
      () => over(`it has not run a shell within ${timeoutMs / 1000} s`),
      timeoutMs,
    );
    const take = (name: keyof typeof output) => (piece: Buffer) => {
      output[name] = `${output[name]}${piece.toString('utf8')}`.slice(-MAX_SAID);
    };
    child.stdout.on('data', take('out'));
    child.stderr.on('data', take('err'));
    child.on('error', (error) => over(`it could not be started (${toErrorMessage(error)})`));
    child.on('close', (code, signal) => {
      if (code === 0 && MARK.test(output.out)) return over(null);
      const how = code === null ? `signal ${signal}` : `exit code ${code}`;
      const words = pickLastLine(output.err);
      over(
        `it ended with ${how} and did not run the shell behind it${words === '' ? '' : `: ${words}`}`,
      );
    });
  });

import { sleep } from '../../base/time/waiting.ts';
import { accessSync, constants, mkdirSync, readFileSync } from 'node:fs';
import { access, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import type { ProgramStart } from '../../contract/session/sandbox.ts';
import type { Clock } from '../../base/time/clock.ts';
import { findProgramOnPath } from './findProgramOnPath.ts';

/** Longest name of a cgroup; longer markers (of deep homes) get no cgroup. */
const MAX_NAME_BYTES = 255;
const PREFIX = 'svc-';
const POLL_MS = 20;
/** Tries to remove an empty cgroup. */
const REMOVAL_LOOKS = 10;
const KILL_WAIT_MS = 5_000;

/** The name holds the marker, so that a later start finds what a crash has left. */
const toCgroupName = (marker: string): string =>
  `${PREFIX}${Buffer.from(marker).toString('base64url')}`;
const readCgroupMarker = (name: string): string =>
  Buffer.from(name.slice(PREFIX.length), 'base64url').toString();

let folder: string | null | undefined;

/**
 * The runner's own cgroup (version 2); null if none exists. Whether it allows groups of its own
 * only shows on creation.
 */
function findOwnCgroup(): string | null {
  if (folder !== undefined) return folder;
  folder = null;
  if (process.platform !== 'linux') return folder;
  try {
    const own = /^0::(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1];
    const mount = readFileSync('/proc/self/mountinfo', 'utf8')
      .split('\n')
      .find((line) => / - cgroup2 /.test(line))
      ?.split(' ');
    const [root, place] = [mount?.[3], mount?.[4]];
    if (own === undefined || root === undefined || place === undefined) return folder;
    const below = relative(root, own);
    folder = below.startsWith('..') ? null : join(place, below);
  } catch {
    // Without /proc there is no cgroup either.
  }
  return folder;
}

/**
 * Joins the cgroup before it becomes the program, so that no child starts outside of it. Unsets the
 * variables that shells add.
 */
const JOIN = '{ echo $$ > "$0"; } 2>/dev/null; exec env -u PWD -u OLDPWD -u SHLVL -u _ "$@"';

/** Whether the program exists: only then is it started through a shell, whose errors differ. */
const isProgramPresent = (
  program: string,
  { PATH }: Readonly<Record<string, string | undefined>>,
  cwd: string,
): boolean =>
  findProgramOnPath(program.includes('/') ? resolve(cwd, program) : program, PATH) !== null;

/**
 * The same program, started in the cgroup of its session, which also holds children that drop their
 * environment or start a session of their own. Unchanged where the kernel allows no cgroup (macOS,
 * cgroup 1, no permission).
 */
export function wrapInCgroup(
  marker: string,
  start: ProgramStart,
  { env, cwd }: { env: Readonly<Record<string, string | undefined>>; cwd: string },
): ProgramStart {
  const own = findOwnCgroup();
  const name = toCgroupName(marker);
  const { program, args } = start;
  if (
    own === null ||
    name.length > MAX_NAME_BYTES ||
    program.includes('=') ||
    !isProgramPresent(program, env, cwd)
  )
    return start;
  const dir = join(own, name);
  const members = join(dir, 'cgroup.procs');
  try {
    // Moving a process requires write access to both places and to their common ancestor.
    accessSync(join(own, 'cgroup.procs'), constants.W_OK);
    mkdirSync(dir, { recursive: true });
    accessSync(members, constants.W_OK);
    return { program: '/bin/sh', args: ['-c', JOIN, members, program, ...args] };
  } catch {
    void rmdir(dir).catch(() => undefined);
    return start;
  }
}

const listCgroupMembers = async (dir: string): Promise<number[]> => {
  const text = await readFile(join(dir, 'cgroup.procs'), 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map(Number)
    .filter((pid) => pid > 1 && pid !== process.pid);
};

const isEmptyBy = async (clock: Clock, dir: string, deadline: number): Promise<boolean> => {
  for (;;) {
    // The cgroup can be removed when it is empty; zombies do not count.
    if ((await listCgroupMembers(dir)).length === 0) return true;
    if (clock.now() >= deadline) return false;
    await sleep(clock, Math.min(POLL_MS, deadline - clock.now()));
  }
};

function signalProcess(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has ended meanwhile.
  }
}

async function endCgroup(clock: Clock, dir: string, graceMs: number): Promise<boolean> {
  const members = await listCgroupMembers(dir);
  for (const pid of members) {
    signalProcess(pid, 'SIGTERM');
    signalProcess(pid, 'SIGCONT');
  }
  if (!(await isEmptyBy(clock, dir, clock.now() + graceMs))) {
    const isKilled = await access(join(dir, 'cgroup.kill')).then(
      () =>
        writeFile(join(dir, 'cgroup.kill'), '1').then(
          () => true,
          () => false,
        ),
      () => false,
    );
    if (!isKilled) for (const pid of await listCgroupMembers(dir)) signalProcess(pid, 'SIGKILL');
    await isEmptyBy(clock, dir, clock.now() + KILL_WAIT_MS);
  }
  // The kernel frees the cgroup a moment after the last member, and keeps it while one hangs; the
  // next start tries again.
  for (let look = 0; look < REMOVAL_LOOKS; look += 1) {
    const isGone = await rmdir(dir).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
    );
    if (isGone) break;
    await sleep(clock, POLL_MS);
  }
  return members.length > 0;
}

/**
 * Ends what is left in the cgroups of sessions whose marker matches: SIGTERM, after `graceMs`
 * SIGKILL. Returns how many were not empty.
 */
export async function endCgroups(
  clock: Clock,
  matches: (marker: string) => boolean,
  graceMs: number,
): Promise<number> {
  const own = findOwnCgroup();
  if (own === null) return 0;
  const names = (await readdir(own).catch(() => [])).filter(
    (name) => name.startsWith(PREFIX) && matches(readCgroupMarker(name)),
  );
  const endings = await Promise.all(
    names.map((name) => endCgroup(clock, join(own, name), graceMs)),
  );
  return endings.filter(Boolean).length;
}

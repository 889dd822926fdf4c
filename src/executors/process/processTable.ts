import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Most bytes that `ps` may write: the environments of all processes of a busy machine. */
const MAX_PS_BYTES = 64 * 1024 * 1024;

/** Environments that are read at once: enough to be quick, few enough for memory and open files. */
const READ_AT_ONCE = 64;

/** Environment variable that marks the processes of a session. */
export const MARKER_VARIABLE = 'SVC_MARKER';

export interface ProcessEntry {
  pid: number;
  pgid: number;
  /** The process has ended and only waits for its parent to notice. */
  zombie: boolean;
}

async function readProcessEntry(pid: string): Promise<ProcessEntry | null> {
  // The process may have ended since the listing.
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (stat === null) return null;
  // The name is in parentheses and may contain spaces and parentheses: the fields start after the
  // last one.
  const [state, , pgid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { pid: Number(pid), pgid: Number(pgid), zombie: state === 'Z' || state === 'X' };
}

const listProcPids = async (): Promise<string[]> =>
  (await readdir('/proc')).filter((name) => /^\d+$/.test(name));

/** The living members of a process group; null except on Linux. */
export async function listLiveMembers(pgid: number): Promise<number[] | null> {
  if (process.platform !== 'linux') return null;
  const entries = await Promise.all((await listProcPids()).map(readProcessEntry));
  return entries.flatMap((entry) =>
    entry && entry.pgid === pgid && !entry.zombie ? [entry.pid] : [],
  );
}

async function readMarkedEntry(
  pid: string,
  matches: (marker: string) => boolean,
): Promise<ProcessEntry | null> {
  // Other users' processes cannot be read; none of them is ours.
  const environ = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
  const marker = environ.split('\0').find((entry) => entry.startsWith(`${MARKER_VARIABLE}=`));
  return marker !== undefined && matches(marker.slice(MARKER_VARIABLE.length + 1))
    ? readProcessEntry(pid)
    : null;
}

async function listMarkedOnLinux(matches: (marker: string) => boolean): Promise<ProcessEntry[]> {
  const pids = await listProcPids();
  const processEntries: (ProcessEntry | null)[] = [];
  for (let from = 0; from < pids.length; from += READ_AT_ONCE) {
    processEntries.push(
      ...(await Promise.all(
        pids.slice(from, from + READ_AT_ONCE).map((pid) => readMarkedEntry(pid, matches)),
      )),
    );
  }
  return processEntries.filter((entry) => entry !== null).filter(({ zombie }) => !zombie);
}

/**
 * `ps` joins the environment with blanks, so a marker is read only up to its first blank: best
 * effort.
 */
async function listMarkedByPs(matches: (marker: string) => boolean): Promise<ProcessEntry[]> {
  const { stdout } = await run('ps', ['eww', '-x', '-o', 'pid=,pgid=,stat=,command='], {
    maxBuffer: MAX_PS_BYTES,
  });
  return stdout.split('\n').flatMap((line) => {
    const [, pid, pgid, stat, command] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    const marker = new RegExp(`(?:^| )${MARKER_VARIABLE}=(\\S*)`).exec(command ?? '')?.[1];
    if (marker === undefined || !matches(marker)) return [];
    return [{ pid: Number(pid), pgid: Number(pgid), zombie: (stat ?? '').startsWith('Z') }];
  });
}

/** Our user's processes whose marker matches. */
export const listMarkedProcesses = (
  matches: (marker: string) => boolean,
): Promise<ProcessEntry[]> =>
  process.platform === 'linux' ? listMarkedOnLinux(matches) : listMarkedByPs(matches);

export const readOwnGroup = async (): Promise<number | null> =>
  process.platform === 'linux'
    ? ((await readProcessEntry(String(process.pid)))?.pgid ?? null)
    : null;

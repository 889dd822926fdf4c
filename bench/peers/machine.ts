import { execFileSync } from 'node:child_process';
import { closeSync, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { cpus, loadavg, release, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Lab } from '../lab.ts';
import { rawCommitRate } from '../rawCommits.ts';
import { percentile } from '../statistics.ts';
import { PACKAGES } from './install.ts';
import { findProgram } from './servers/systemProgram.ts';

const SYNCS = 300;
const SYNC_BYTES = 4_096;
const RAW_MS = 500;
const GIB = 1024 ** 3;

/** Filesystems whose syncs do nothing. */
const IN_MEMORY = ['tmpfs', 'ramfs'];

/** The filesystem of the folders of the bench, such as `ext4`. */
function filesystem(): string {
  try {
    const table = execFileSync('df', ['--output=fstype', tmpdir()], { encoding: 'utf8' });
    return table.trim().split('\n').at(-1) ?? '';
  } catch {
    return 'unknown filesystem';
  }
}

/** Ms of each of many small writes that are on disk before the next. */
function syncTimes(lab: Lab): number[] {
  const file = openSync(join(lab.folder('sync'), 'file'), 'w');
  const bytes = Buffer.alloc(SYNC_BYTES, 'x');
  const times = Array.from({ length: SYNCS }, () => {
    const start = performance.now();
    writeSync(file, bytes);
    fdatasyncSync(file);
    return performance.now() - start;
  });
  closeSync(file);
  return times;
}

/** Throws where a sync costs nothing, so that what survives a power loss could not be measured. */
export function refuseMemoryDisk(): void {
  if (IN_MEMORY.includes(filesystem()))
    throw new Error(
      `${tmpdir()} is in memory, where a sync does nothing. Set TMPDIR to a folder on a disk.`,
    );
}

/** Load of the machine over the last minute: above 1 other work has its share. */
export const loadNow = (): string => (loadavg()[0] ?? 0).toFixed(1);

export function machineFacts(lab: Lab): string[] {
  const times = syncTimes(lab);
  const [p50, p99] = [50, 99].map((percent) => percentile(times, percent).toFixed(2));
  const model = cpus()[0]?.model ?? 'unknown processor';
  return [
    `${model}, ${cpus().length} cores, ${Math.round(totalmem() / GIB)} GiB, kernel ${release()}, Node ${process.version}; load before: ${loadNow()}`,
    `${filesystem()}; a write of 4 KiB and its sync: median ${p50} ms, 99th percentile ${p99} ms; SQLite alone: ${Math.round(rawCommitRate(RAW_MS))} commits/s`,
  ];
}

const output = (program: string, args: string[]): string => {
  const file = findProgram(program);
  return file === null ? '' : execFileSync(file, args, { encoding: 'utf8' }).trim();
};

export function versionFacts(names: readonly string[]): string {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const commit = output('git', ['rev-parse', '--short', 'HEAD']);
  const packages = names.flatMap((name) =>
    Object.entries(PACKAGES[name] ?? {}).map(([title, of]) => `${title} ${of}`),
  );
  const servers = [
    ...(names.includes('bullmq') ? [output('redis-server', ['--version'])] : []),
    ...(names.includes('dbos') || names.includes('graphile')
      ? [output('postgres', ['--version'])]
      : []),
  ].map((line) =>
    line
      .replace(/^Redis server v=(\S+).*$/, 'Redis $1')
      .replace(/^postgres \((\w+)\) (\S+).*$/, '$1 $2'),
  );
  return [`svc ${version} (${commit})`, ...packages, ...servers].join(', ');
}

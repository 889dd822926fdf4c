import type { GcReply, KeptWork } from '../../src/schema/gc.ts';
import type { Io } from '../io.ts';
import { printableLine } from './printable.ts';

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** 1.5 MiB, as a person reads it. */
function size(bytes: number): string {
  const unit = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  const amount = bytes / 1024 ** unit;
  return `${unit === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${UNITS[unit]}`;
}

const several = (n: number, one: string, more: string): string => `${n} ${n === 1 ? one : more}`;

/** A line for each job, and for each folder without a job. */
function places(removed: GcReply['removed']): string[] {
  const sums = new Map<string, number>();
  for (const { jobId, path, bytes } of removed)
    sums.set(jobId ?? path, (sums.get(jobId ?? path) ?? 0) + bytes);
  return [...sums].map(([place, bytes]) => `  ${printableLine(place)}  ${size(bytes)}\n`);
}

const keptText = ({ jobId, what, ref }: KeptWork): string =>
  `  ${printableLine(`${jobId}: ${what}`)}\n    ${printableLine(ref)}\n`;

/** How to restore one of them, as a command that can be run unchanged. */
const comeback = ({ repository, ref }: KeptWork): string =>
  `  git fetch '${repository}' '${ref}' && git switch -c kept FETCH_HEAD\n`;

/** What a clean-up has done, or would do. */
export function gcText(
  { dryRun, removed, kept, left, inUse }: GcReply,
  { color }: Pick<Io, 'color'>,
): string {
  const bytes = removed.reduce((sum, one) => sum + one.bytes, 0);
  const jobs = new Set(removed.flatMap(({ jobId }) => jobId ?? [])).size;
  const did = dryRun ? 'Would remove' : 'Removed';
  const [first] = kept;
  const parts = [
    removed.length === 0
      ? 'Nothing to remove.\n'
      : `${did} ${size(bytes)} of ${several(jobs, 'job', 'jobs')}:\n`,
    ...places(removed),
    ...(first
      ? [
          `\n${dryRun ? 'Would keep' : 'Kept'} work that is not in the repository's branches (${kept.length}):\n`,
          ...kept.map(keptText),
          ...(dryRun ? [] : ['To get one back, in a clone of the repository:\n', comeback(first)]),
        ]
      : []),
    ...(left.length > 0
      ? [
          `\n${color.bold(`Left for you to look at (${left.length}):`)}\n`,
          ...left.map(
            ({ path, reason }) => `  ${printableLine(path)}\n    ${printableLine(reason)}\n`,
          ),
        ]
      : []),
    ...(inUse > 0
      ? [`\n${several(inUse, 'job has', 'jobs have')} not ended, or not long enough ago.\n`]
      : []),
  ];
  return parts.join('');
}

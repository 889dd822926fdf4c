import { formatCount } from '../../../src/base/text/formatCount.ts';
import type {
  GcKind,
  GcReply,
  GcRun,
  GcSchedule,
  KeptWork,
} from '../../../src/contract/schema/runner/gc.ts';
import type { Io } from '../../io.ts';
import { toPrintableLine } from '../text/toPrintable.ts';
import { formatByteSize } from '../text/formatByteSize.ts';

const KINDS: Readonly<Record<GcKind, string>> = {
  checkouts: 'Folders of jobs',
  logs: 'Logs that move into archives',
  archives: 'Archives of logs, for good',
  artefacts: 'Contents of artefacts',
  mirrors: 'Mirrors of repositories',
  leftovers: 'Leftovers of a killed runner',
};
/** Too many places are summarized: every job has one of some kinds. */
const MOST_PLACES = 20;

const sumRemovedBytes = (removals: GcReply['removed']): number =>
  removals.reduce((sum, { bytes }) => sum + bytes, 0);

/** A line for each job, and for each thing without a job. */
function listRemovedPlaces(removals: GcReply['removed']): string[] {
  const sums = new Map<string, number>();
  for (const { jobId, path, bytes } of removals)
    sums.set(jobId ?? path, (sums.get(jobId ?? path) ?? 0) + bytes);
  const lines = [...sums].map(
    ([place, bytes]) => `    ${toPrintableLine(place)}  ${formatByteSize(bytes)}\n`,
  );
  if (lines.length <= MOST_PLACES) return lines;
  return [...lines.slice(0, MOST_PLACES), `    and ${lines.length - MOST_PLACES} more (--json)\n`];
}

function listRemovedKinds(removals: GcReply['removed']): string[] {
  const names: readonly GcKind[] = [
    'leftovers',
    'checkouts',
    'logs',
    'archives',
    'artefacts',
    'mirrors',
  ];
  return names.flatMap((kind) => {
    const own = removals.filter((one) => one.kind === kind);
    return own.length === 0
      ? []
      : [`  ${KINDS[kind]}: ${formatByteSize(sumRemovedBytes(own))}\n`, ...listRemovedPlaces(own)];
  });
}

const formatKeptWork = ({ jobId, what, ref }: KeptWork): string =>
  `  ${toPrintableLine(`${jobId}: ${what}`)}\n    ${toPrintableLine(ref)}\n`;

/** How to restore one of them, as a command that can be run unchanged. */
const formatRestoreCommand = ({ repository, ref }: KeptWork): string =>
  `  git fetch '${repository}' '${ref}' && git switch -c kept FETCH_HEAD\n`;

const formatLeftPlaces = (
  leftPlaces: GcReply['left'],
  count: number,
  color: Io['color'],
): string[] =>
  count === 0
    ? []
    : [
        `\n${color.bold(`Needs your attention (${count}):`)}\n`,
        ...leftPlaces.map(
          ({ path, reason }) => `  ${toPrintableLine(path)}\n    ${toPrintableLine(reason)}\n`,
        ),
      ];

export function formatCleanup(
  { dryRun, removed, kept, left, inUse, freed }: GcReply,
  { color }: Pick<Io, 'color'>,
): string {
  const jobs = new Set(removed.flatMap(({ jobId }) => jobId ?? [])).size;
  const did = dryRun ? 'Would remove' : 'Removed';
  const [first] = kept;
  const parts = [
    removed.length === 0
      ? 'Nothing to remove.\n'
      : `${did} ${formatByteSize(sumRemovedBytes(removed))} of ${formatCount(jobs, 'job', 'jobs')}:\n`,
    ...listRemovedKinds(removed),
    ...(freed > 0 ? [`state.db is smaller by ${formatByteSize(freed)}.\n`] : []),
    ...(first
      ? [
          `\n${dryRun ? 'Would keep' : 'Kept'} work that is not in the repository's branches (${kept.length}):\n`,
          ...kept.map(formatKeptWork),
          ...(dryRun
            ? []
            : ['To get one back, in a clone of the repository:\n', formatRestoreCommand(first)]),
        ]
      : []),
    ...formatLeftPlaces(left, left.length, color),
    ...(inUse > 0
      ? [`\n${formatCount(inUse, 'job has', 'jobs have')} not ended, or ended too recently.\n`]
      : []),
  ];
  return parts.join('');
}

const HOUR_MS = 3_600_000;

const formatInterval = (ms: number): string =>
  ms % HOUR_MS === 0 ? `${ms / HOUR_MS} h` : `${Math.round(ms / 60_000)} min`;

function formatCleanupRun(run: GcRun, color: Io['color']): string {
  const { startedAt, removed, kept, left, leftCount, freed, problem } = run;
  const counts = Object.entries(KINDS).flatMap(([kind, name]) => {
    const one = Object.entries(removed).find(([known]) => known === kind)?.[1];
    return one ? [`  ${name}: ${one.items}, ${formatByteSize(one.bytes)}\n`] : [];
  });
  return [
    `Last run at ${startedAt}:\n`,
    ...(counts.length === 0 ? ['  Nothing to remove.\n'] : counts),
    ...(freed > 0 ? [`  state.db is smaller by ${formatByteSize(freed)}.\n`] : []),
    ...(kept > 0 ? [`  Saved work: ${formatCount(kept, 'ref', 'refs')} refs/svc/kept/….\n`] : []),
    ...(problem === null ? [] : [`  Stopped early: ${toPrintableLine(problem)}\n`]),
    ...formatLeftPlaces(left, leftCount, color),
  ].join('');
}

export function formatCleanupSchedule(
  { everyMs, nextAt, runs: [last] }: GcSchedule,
  { color }: Pick<Io, 'color'>,
): string {
  const schedule =
    everyMs === null
      ? 'The schedule is off: svc config set retention.every 24h switches it on.\n'
      : `Every ${formatInterval(everyMs)}${nextAt === null ? ', running now' : `, next at ${nextAt}`}.\n`;
  return `${schedule}${last ? formatCleanupRun(last, color) : 'No runs yet.\n'}`;
}

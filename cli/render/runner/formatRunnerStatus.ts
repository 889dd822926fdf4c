import type { Settings } from '../../../src/contract/schema/runner/settings.ts';
import type { CloudStatus, JobsHolder } from '../../../src/contract/schema/runner/cloudStatus.ts';
import type { HomeRunner } from '../../remote/findHomeRunner.ts';
import type { RunnerWork } from '../../remote/readRunnerWork.ts';
import { formatRunnerWork } from './formatRunnerWork.ts';
import { formatByteSize } from '../text/formatByteSize.ts';
import { formatLocalTime, formatTimeWithAgo } from '../text/formatTimeWithAgo.ts';
import { formatCount } from '../../../src/base/text/formatCount.ts';
import { toPrintableLine } from '../text/toPrintable.ts';

export interface RunnerStatus {
  /** null = none answers. */
  runner: HomeRunner | null;
  /** hybrid = the configuration names a control plane. */
  mode: Settings['mode'];
  /** Plugins of the forges that are set up; `local` where repositories on this disk are. */
  scm: string[];
  configFile: string;
  home: string;
  workingDir: string;
  intelligenceDir: string;
  /** What it does, and what needs a person; a text = why it does not say, null = none answers. */
  work: RunnerWork | string | null;
  /** What may still be written to the disk of the home, bytes; null = unknown. */
  freeBytes: number | null;
  /** The runner of the team that continues the jobs of this home; null = this one has them. */
  holder: JobsHolder | null;
}

const LOCAL = 'local (without a control plane)';
const CONNECTIONS: Readonly<Record<CloudStatus['connection'], string>> = {
  connecting: 'not connected; svc tries again and again',
  connected: 'connected',
  replaced: 'disconnected: another process uses the token of this runner',
  refused: 'refused by the control plane',
};

/** Where the state of the jobs is, as a clause. */
export function describeStatePlace({ place, changes, since }: CloudStatus['state']): string {
  switch (place) {
    case 'runner':
      return 'state on this runner alone';
    case 'seeding':
      return 'state on this runner; the control plane gets its first copy';
    case 'replicated':
      return 'state replicated in the control plane';
    case 'waiting':
      return `the control plane has not answered${since === null ? '' : ` since ${formatLocalTime(since)}`}: ${formatCount(changes, 'change waits', 'changes wait')}`;
  }
}

function formatMode({ runner, mode }: RunnerStatus): string {
  if (mode === 'local') return LOCAL;
  const cloud = runner?.cloud;
  if (cloud === undefined) return 'hybrid (connects to the control plane while the runner runs)';
  const { team, connection, since, problem, state, url } = cloud;
  const name = team === null ? url : `team ${team.name} at ${url}`;
  const why = problem === null || connection === 'connected' ? '' : ` (${problem})`;
  // That it tries again, and since when, is the same as that it does not answer.
  if (connection === 'connecting' && state.place === 'waiting')
    return `hybrid, ${name}: not connected${why}; ${describeStatePlace(state)}`;
  return `hybrid, ${name}: ${CONNECTIONS[connection]} since ${formatLocalTime(since)}${why}; ${describeStatePlace(state)}`;
}

const formatHolder = ({ holder }: RunnerStatus): [string, string][] =>
  holder === null
    ? []
    : [
        [
          'Taken over',
          `by the runner ${holder.name}, known since ${formatLocalTime(holder.since)}`,
        ],
      ];

export function formatRunnerStatus(status: RunnerStatus, now: number): string {
  const { runner, work, freeBytes, scm, configFile, home, workingDir, intelligenceDir } = status;
  const rows: [string, string][] = [
    [
      'Runner',
      runner === null
        ? 'not running; start it with: svc start'
        : `${runner.url}, process ${runner.pid}, svc ${runner.version}, since ${formatTimeWithAgo(runner.startedAt, now)}`,
    ],
    ['Mode', formatMode(status)],
    ...formatHolder(status),
    ['Forge', scm.length === 0 ? 'none; set one up with: svc init' : scm.join(', ')],
    ...(work === null ? [] : formatRunnerWork(work, now)),
    ['Disk', freeBytes === null ? 'unknown' : `${formatByteSize(freeBytes)} free`],
    ['Home', home],
    ['Configuration', configFile],
    ['Job folders', workingDir],
    ['Authoring', intelligenceDir],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `${name.padEnd(width)}  ${toPrintableLine(text)}\n`).join('');
}

import type { Settings } from '../../../src/contract/schema/runner/settings.ts';
import type { CloudStatus } from '../../../src/contract/schema/runner/cloudStatus.ts';
import type { HomeRunner } from '../../remote/findHomeRunner.ts';
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
}

const LOCAL = 'local (without a control plane)';
const CONNECTIONS: Readonly<Record<CloudStatus['connection'], string>> = {
  connecting: 'not connected; svc tries again and again',
  connected: 'connected',
  replaced: 'disconnected: another process uses the token of this runner',
  refused: 'refused by the control plane',
};

function formatMode({ runner, mode }: RunnerStatus): string {
  if (mode === 'local') return LOCAL;
  const cloud = runner?.cloud;
  if (cloud === undefined) return 'hybrid (connects to the control plane while the runner runs)';
  const { team, connection, since, problem, state, url } = cloud;
  const name = team === null ? url : `team ${team.name} at ${url}`;
  const why = problem === null || connection === 'connected' ? '' : ` (${problem})`;
  return `hybrid, ${name}: ${CONNECTIONS[connection]} since ${since}${why}; state ${state}`;
}

export function formatRunnerStatus(status: RunnerStatus): string {
  const { runner, scm, configFile, home, workingDir, intelligenceDir } = status;
  const rows: [string, string][] = [
    [
      'Runner',
      runner === null
        ? 'not running; start it with: svc start'
        : `${runner.url}, process ${runner.pid}, svc ${runner.version}, since ${runner.startedAt}`,
    ],
    ['Mode', formatMode(status)],
    ['Forge', scm.length === 0 ? 'none; set one up with: svc init' : scm.join(', ')],
    ['Home', home],
    ['Configuration', configFile],
    ['Jobs', workingDir],
    ['Authoring', intelligenceDir],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `${name.padEnd(width)}  ${toPrintableLine(text)}\n`).join('');
}

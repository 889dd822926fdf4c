import type { Settings } from '../../../src/contract/schema/runner/settings.ts';
import type { HomeRunner } from '../../remote/findHomeRunner.ts';
import { toPrintableLine } from '../text/toPrintable.ts';

export interface RunnerStatus {
  /** null = none answers. */
  runner: HomeRunner | null;
  /** hybrid = the configuration names a control plane, which this version does not connect to. */
  mode: Settings['mode'];
  /** Plugins of the forges that are set up; `local` where repositories on this disk are. */
  scm: string[];
  configFile: string;
  home: string;
  workingDir: string;
  intelligenceDir: string;
}

const MODES: Readonly<Record<RunnerStatus['mode'], string>> = {
  local: 'local (without a control plane)',
  hybrid:
    'hybrid (cloud.url and cloud.token are set; this version connects to no control plane and works as in local mode)',
};

export function formatRunnerStatus(status: RunnerStatus): string {
  const { runner, mode, scm, configFile, home, workingDir, intelligenceDir } = status;
  const rows: [string, string][] = [
    [
      'Runner',
      runner === null
        ? 'not running; start it with: svc start'
        : `${runner.url}, process ${runner.pid}, svc ${runner.version}, since ${runner.startedAt}`,
    ],
    ['Mode', MODES[mode]],
    ['Forge', scm.length === 0 ? 'none; set one up with: svc init' : scm.join(', ')],
    ['Home', home],
    ['Configuration', configFile],
    ['Jobs', workingDir],
    ['Authoring', intelligenceDir],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `${name.padEnd(width)}  ${toPrintableLine(text)}\n`).join('');
}

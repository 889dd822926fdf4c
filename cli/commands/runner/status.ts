import { CLOUD_AWAY_EXIT_CODE, FENCED_EXIT_CODE } from '../../../src/base/errors/cloudExitCodes.ts';
import { readFencedNote } from '../../../src/host/config/home/fencedNote.ts';
import { loadSettings } from '../../../src/host/config/settings/loadSettings.ts';
import { BUILT_IN_MANIFESTS } from '../../../src/plugins/builtInCatalogue.ts';
import type { Settings } from '../../../src/contract/schema/runner/settings.ts';
import { measureFreeSpace } from '../../../src/base/system/files/measureFreeSpace.ts';
import { readRunnerWork } from '../../remote/readRunnerWork.ts';
import { LocalCommand } from '../../base/localCommand.ts';
import { readInstalledManifests } from '../../../src/plugins/readInstalledManifests.ts';
import { findHomeRunner } from '../../remote/findHomeRunner.ts';
import { findPackageRoot } from '../../findPackageRoot.ts';
import { type RunnerStatus, formatRunnerStatus } from '../../render/runner/formatRunnerStatus.ts';

export default class RunnerStatusCommand extends LocalCommand {
  static override summary =
    'Show the runner of this home: whether it runs, what it does, what needs you, its mode and its folders.';
  static override description =
    'Reads the current configuration; a runner that started before a change may still use other folders. The exit code is 0 whether it is running or not, 10 while its control plane does not answer, and 11 where another runner of the team continues its jobs.';
  static override examples = ['<%= config.bin %> runner status'];

  async run(): Promise<RunnerStatus> {
    await this.parse(RunnerStatusCommand);
    const { env, homeDir } = this.io;
    const { settings } = await loadSettings({
      env,
      homeDir,
      flags: {},
      packageRoot: findPackageRoot(import.meta.url),
    });
    const runner = await findHomeRunner(this.io, this.config.version);
    const { home, configFile, paths } = settings;
    const status: RunnerStatus = {
      runner,
      work: runner === null ? null : await readRunnerWork(this.io, this.config.version),
      freeBytes: await measureFreeSpace(settings.home).catch(() => null),
      mode: runner?.mode ?? settings.mode,
      scm: await listForgesInUse(settings),
      configFile,
      home,
      workingDir: paths.workingDir,
      intelligenceDir: paths.intelligenceDir,
      holder: await readFencedNote(home),
    };
    this.print(formatRunnerStatus(status, this.io.now()));
    if (status.holder !== null) this.io.exitWith(FENCED_EXIT_CODE);
    else if (runner?.cloud?.state.place === 'waiting') this.io.exitWith(CLOUD_AWAY_EXIT_CODE);
    return status;
  }
}

async function listForgesInUse({ home, plugins, forges }: Settings): Promise<string[]> {
  const manifests = [...BUILT_IN_MANIFESTS, ...(await readInstalledManifests(home))];
  const remote = manifests
    .filter(({ id, kind }) => kind === 'scm' && id !== 'local' && plugins[id] !== undefined)
    .filter(({ id }) => plugins[id]?.enabled !== false)
    .map(({ id }) => id);
  return [...(Object.keys(forges.local.repos).length > 0 ? ['local'] : []), ...remote];
}

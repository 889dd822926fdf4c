import { resolveConfigPlace } from '../../../src/host/config/home/resolveConfigPlace.ts';
import { LocalCommand } from '../../base/localCommand.ts';
import { findPackageRoot } from '../../findPackageRoot.ts';

export default class ConfigPathCommand extends LocalCommand {
  static override summary =
    'Print the path of the configuration file of this home (SVC_HOME, default ~/.svc). Needs no runner.';
  static override examples = ['$EDITOR "$(<%= config.bin %> config path)"'];

  async run(): Promise<{ file: string }> {
    await this.parse(ConfigPathCommand);
    const { env, homeDir } = this.io;
    const { file } = resolveConfigPlace({
      env,
      homeDir,
      flags: {},
      packageRoot: findPackageRoot(import.meta.url),
    });
    this.print(`${file}\n`);
    return { file };
  }
}

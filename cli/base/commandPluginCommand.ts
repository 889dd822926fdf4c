import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readHomeVariable, resolveHomeFolder } from '../../src/host/config/home/paths.ts';
import { randomIds } from '../../src/base/system/ids/ids.ts';
import type {
  CommandPlugin,
  CommandPluginsDeps,
} from '../../src/plugins/commands/commandPlugins.ts';
import { toCommandsDir } from '../../src/plugins/commands/pluginList.ts';
import { createNpmRunner } from '../../src/plugins/npm.ts';
import { LocalCommand } from './localCommand.ts';
import { isTakenByOwnCommand, type OwnCommands } from '../ownCommands.ts';
import { findPackageRoot } from '../findPackageRoot.ts';
import { toPrintableLine } from '../render/text/toPrintable.ts';

/** Longest refreshing of completion, ms. */
const REFRESH_MS = 10_000;

const root = findPackageRoot(import.meta.url);
const OURS: OwnCommands = fileURLToPath(import.meta.url).endsWith('.ts')
  ? { folder: join(root, 'cli', 'commands'), ending: '.ts' }
  : { folder: join(root, 'dist', 'cli', 'commands'), ending: '.js' };

/**
 * What the commands on command packages share. They work on the home's folder; no runner is asked.
 */
export abstract class CommandPluginCommand extends LocalCommand {
  protected deps(): CommandPluginsDeps {
    const { env, homeDir } = this.io;
    return {
      dir: toCommandsDir(resolveHomeFolder(readHomeVariable(env), homeDir)),
      npm: createNpmRunner(env),
      ids: randomIds,
      isOurs: (command) => isTakenByOwnCommand(OURS, command),
    };
  }

  /**
   * Reports what is installed and, for a package that is also a plugin of the runner, how to
   * install that.
   */
  protected tellPlugin(
    { name, version, commands, isRunnerPlugin }: CommandPlugin,
    again: string,
  ): void {
    this.print(
      `${toPrintableLine(name)} ${toPrintableLine(version)}\n${commands.map((one) => `  svc ${one}\n`).join('')}`,
    );
    if (isRunnerPlugin && !this.jsonEnabled())
      this.io.err(
        `The package also contains a runner plugin. To install it: svc plugin install ${toPrintableLine(again)}\n`,
      );
  }

  /**
   * Refreshes shell completion, if it was set up. In a process of its own, because this one loads
   * no plugin.
   */
  protected refreshCompletion(): Promise<void> {
    if (!existsSync(join(this.deps().dir, 'cache', 'autocomplete'))) return Promise.resolve();
    const argv = [join(root, 'cli', 'bin', 'run.js'), 'autocomplete', '--refresh-cache'];
    return new Promise((resolve) => {
      execFile(process.execPath, argv, { env: this.io.env, timeout: REFRESH_MS }, (error) => {
        if (error)
          this.io.err(
            'Completion could not be brought up to date. Run: svc autocomplete --refresh-cache\n',
          );
        resolve();
      });
    });
  }
}

import { Args, Flags } from '@oclif/core';
import { suggestClosestName } from '../../../src/base/text/findClosestName.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';
import type { ConfigValue } from '../../../src/contract/schema/runner/config.ts';
import { parseKeyPath } from '../../../src/host/config/file/mergePatch.ts';
import { ConfigCommand } from '../../base/configCommand.ts';
import { formatConfigValues, formatConfigValue } from '../../render/runner/formatConfigValues.ts';

export default class ConfigGetCommand extends ConfigCommand {
  static override summary =
    'Show the configuration in effect: all of it, a section or one value. Secrets are shown as ********.';
  static override description =
    'Asks the runner. If none is running, reads the configuration file and the environment.';
  static override examples = [
    '<%= config.bin %> config get --show-origin',
    '<%= config.bin %> config get server',
    '<%= config.bin %> config get server.port',
  ];
  static override args = {
    key: Args.string({
      description: 'Keys joined by dots, or a JSON pointer. Default: everything.',
    }),
  };
  static override flags = {
    'show-origin': Flags.boolean({
      description: 'Show where each value comes from: flag, environment, file or default.',
    }),
  };

  async run(): Promise<ConfigValue[]> {
    const { args, flags } = await this.parse(ConfigGetCommand);
    const { reply } = await (await this.source(flags)).config();
    const key = args.key === undefined ? null : parseKeyPath(args.key).join('.');
    const matchingValues =
      key === null
        ? reply.values
        : reply.values.filter((value) => value.key === key || value.key.startsWith(`${key}.`));
    if (matchingValues.length === 0) {
      const knownKeys = reply.values.map((value) => value.key);
      throw new SvcError(
        'not-found',
        `No value ${args.key} is set. ${suggestClosestName(key ?? '', knownKeys)}`,
      );
    }
    const [only] = matchingValues;
    const bare = matchingValues.length === 1 && only?.key === key && !flags['show-origin'];
    this.print(
      bare
        ? `${formatConfigValue(only?.value)}\n`
        : formatConfigValues(matchingValues, flags['show-origin'], this.io),
    );
    return matchingValues;
  }
}

import { Args, Flags } from '@oclif/core';
import { SvcError } from '../../../src/lib/errors.ts';
import { configPatch } from '../../configChange.ts';
import { ConfigCommand } from '../../configCommand.ts';
import { textArgument } from '../../textArgument.ts';

interface SetReply {
  file: string;
  key: string;
  /** false: it was so already. */
  changed: boolean;
  /** Keys that the runner takes up at its next start. */
  restart: string[];
}

export default class ConfigSetCommand extends ConfigCommand {
  static override summary = 'Change one value of the configuration file, and nothing else in it.';
  static override description =
    'Goes through the runner; where none runs, the file is changed directly. A change with a mistake in it is refused and the file stays as it is. Secrets are read from standard input.';
  static override examples = [
    '<%= config.bin %> config set runner.maxConcurrentJobs 4',
    '<%= config.bin %> config set forges.local.repos.shop ~/src/shop',
    '<%= config.bin %> config set decision.apiKey - < key.txt',
    '<%= config.bin %> config set server.host --unset',
  ];
  static override args = {
    key: Args.string({ description: 'Keys joined by dots, or a JSON pointer.', required: true }),
    value: Args.string({ description: 'Text or JSON; - reads it from standard input.' }),
  };
  static override flags = { unset: Flags.boolean({ description: 'Take the key out, so that its default applies.' }) };

  async run(): Promise<SetReply> {
    const { args, flags } = await this.parse(ConfigSetCommand);
    const { key, value } = args;
    if (Boolean(flags.unset) === (value !== undefined))
      throw new SvcError('bad-argument', flags.unset ? 'Give a value or --unset, not both.' : 'Give a value, or --unset.');
    const text = value === undefined ? null : value === '-' ? await textArgument(value, 'The value', this.io) : value;
    const patch = await configPatch(key, text, value !== '-');
    const source = await this.source(flags);
    const { etag } = await source.config();
    const after = await source.updateConfig(patch, etag);
    const { file, restart } = after.reply;
    const changed = after.etag !== etag;
    this.print(changed ? `Written to ${file}.\n` : `${key} is so already; ${file} was left as it is.\n`);
    if (changed && restart.length > 0) this.print(`The runner takes it up at its next start: ${restart.join(', ')}.\n`);
    return { file, key, changed, restart };
  }
}

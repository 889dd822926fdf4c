import { Args, Flags } from '@oclif/core';
import { SvcError } from '../../../src/base/errors/errors.ts';
import type { ConfigPatch } from '../../../src/contract/schema/runner/config.ts';
import { combinePatches } from '../../../src/host/config/file/mergePatch.ts';
import { buildConfigPatch } from '../../input/buildConfigPatch.ts';
import { ConfigCommand } from '../../base/configCommand.ts';
import { toPrintableLine } from '../../render/text/toPrintable.ts';
import { readTextArgument } from '../../input/readTextArgument.ts';

interface SetReply {
  file: string;
  key: string;
  keys: string[];
  /** false: it already had this value. */
  changed: boolean;
  restart: string[];
}

/** Keys with their values; a key without one is removed. Throws SvcError `bad-argument`. */
function parseConfigPairs(
  words: readonly string[],
  unset: boolean,
): [key: string, value: string | null][] {
  if (words.length === 0)
    throw new SvcError('bad-argument', 'Name a key: svc config set <key> <value>.');
  if (unset && words.length > 1)
    throw new SvcError('bad-argument', 'Give a value or --unset, not both.');
  if (unset) return words.map((key) => [key, null]);
  if (words.length === 1) throw new SvcError('bad-argument', 'Give a value, or --unset.');
  if (words.length % 2 === 1)
    throw new SvcError('bad-argument', `${words.at(-1)} has no value. Give each key one.`);
  const pairs = words.flatMap((key, n): [string, string][] =>
    n % 2 === 0 ? [[key, words[n + 1] ?? '']] : [],
  );
  if (pairs.filter(([, value]) => value === '-').length > 1)
    throw new SvcError('bad-argument', 'Only one value can be read from standard input (-).');
  return pairs;
}

export default class ConfigSetCommand extends ConfigCommand {
  static override summary =
    'Change values in the configuration file. The rest of the file is preserved.';
  static override description =
    'Several keys are changed together or not at all. The change goes through the runner; if none is running, the file is changed directly. An invalid change is refused and the file stays as it is. Secrets are read from standard input.';
  static override examples = [
    '<%= config.bin %> config set runner.maxConcurrentJobs 4',
    '<%= config.bin %> config set forges.local.repos.shop ~/src/shop',
    '<%= config.bin %> config set llm.defaultProvider acp:opencode plugins.installed.acp.config.opencodeModel qwen3',
    '<%= config.bin %> config set decision.apiKey - < key.txt',
    '<%= config.bin %> config set server.host --unset',
  ];
  static override usage = [
    'config set <key> <value> [<key> <value> ...] [--json] [--url <url>]',
    'config set <key> --unset [--json] [--url <url>]',
  ];
  static override strict = false;
  static override args = {
    key: Args.string({ description: 'Keys joined by dots, or a JSON pointer.', required: true }),
    value: Args.string({ description: 'Text or JSON, or - for standard input.' }),
  };
  static override flags = {
    unset: Flags.boolean({ description: 'Remove the key, so that its default applies.' }),
  };

  /** A value may be empty. */
  protected override acceptsEmpty = true;

  async run(): Promise<SetReply> {
    const { raw, flags } = await this.parse(ConfigSetCommand);
    // oclif sorts its list of arguments by the first place of each text: a value that is given twice
    // would be moved beside itself.
    const words = raw.filter(({ type }) => type === 'arg').map(({ input }) => input);
    const pairs = parseConfigPairs(words, flags.unset);
    const readPluginSettings = this.settingsOfPlugin(flags);
    let patch: ConfigPatch = {};
    for (const [key, value] of pairs) {
      const text = value === '-' ? await readTextArgument(value, 'The value', this.io) : value;
      patch = combinePatches(
        patch,
        await buildConfigPatch(key, text, value !== '-', readPluginSettings),
      );
    }
    const source = await this.source(flags);
    const { etag, reply: before } = await source.config();
    const after = await source.updateConfig(patch, etag);
    const { file, restart, warnings } = after.reply;
    for (const warning of warnings.filter((one) => !before.warnings.includes(one)))
      this.io.err(`Warning: ${toPrintableLine(warning)}\n`);
    const changed = after.etag !== etag;
    const keys = pairs.map(([key]) => key);
    this.print(
      changed
        ? `Written to ${file}.\n`
        : `Already set: ${keys.join(', ')}. ${file} is unchanged.\n`,
    );
    if (changed && restart.length > 0)
      this.print(`Takes effect after svc restart: ${restart.join(', ')}.\n`);
    return { file, key: keys[0] ?? '', keys, changed, restart };
  }
}

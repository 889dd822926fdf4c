import { CommandHelp, Help } from '@oclif/core';
import { wrapUsageParts, listUsageParts } from './render/text/wrapUsageParts.ts';

/** Parts of a usage line that are not broken. */
const WHOLE = /\[[^\]]*\]|\S+/g;

/** oclif's help of one command: every part of it in one place, and flags as they are declared. */
class SvcCommandHelp extends CommandHelp {
  protected override usage(): string {
    const { id, usage, args, flags, strict } = this.command;
    const columns = this.opts.maxWidth - this.indentSpacing;
    const name = id.replaceAll(':', ' ');
    const own = usage === undefined ? [] : [usage].flat();
    const lines =
      own.length === 0
        ? [listUsageParts({ name, args, flags, strict })]
        : own.map((line) => ['svc', ...(this.render(line).match(WHOLE) ?? [])]);
    return lines.map((parts) => wrapUsageParts(['$', ...parts], columns)).join('\n');
  }

  /** The summary is above it already. */
  protected override description(): string | undefined {
    const { description } = this.command;
    return description ? this.wrap(description) : undefined;
  }

  protected override args(
    args: Parameters<CommandHelp['args']>[0],
  ): ReturnType<CommandHelp['args']> {
    return super.args(args)?.map(([, text], at) => [`<${args[at]?.name ?? ''}>`, text]);
  }
}

const NO_COMMAND = 127;

export default class SvcHelp extends Help {
  override CommandHelpClass = SvcCommandHelp;

  constructor(...[config, options]: ConstructorParameters<typeof Help>) {
    super(config, { ...options, flagSortOrder: 'none' });
  }

  /** `svc help nope` and `svc nope --help` say what `svc nope` says, and exit with 127 as well. */
  override async showHelp(argv: string[]): Promise<void> {
    try {
      await super.showHelp(argv);
    } catch (error) {
      if (!(error instanceof Error && /^Command .* not found\.$/.test(error.message))) throw error;
      const isFlag = (word: string) => word.startsWith('-');
      const words = argv.filter((word) => !isFlag(word) && word !== 'help');
      const parts = { id: words.join(':'), argv: argv.filter(isFlag) };
      const { failures } = await this.config.runHook('command_not_found', parts, undefined, true);
      const [failure] = failures;
      // Thrown, it would be printed: svc help belongs to a package with an oclif of its own.
      process.exitCode = Number(Object(failure?.error).oclif?.exit ?? NO_COMMAND);
    }
  }
}

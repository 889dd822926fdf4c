import { resolve } from 'node:path';
import { Args, Flags } from '@oclif/core';
import { SCAFFOLDED_KINDS, writeScaffold } from '../../../src/plugins/scaffold/scaffoldFiles.ts';
import { LocalCommand } from '../../base/localCommand.ts';
import { toPrintableLine } from '../../render/text/toPrintable.ts';

export default class PluginInitCommand extends LocalCommand {
  static override summary = 'Create a plugin in TypeScript, with a test. Needs no runner.';
  static override examples = [
    '<%= config.bin %> plugin init greeter',
    '<%= config.bin %> plugin init myforge --kind scm',
  ];
  static override args = {
    id: Args.string({ description: 'ID of the new plugin.', required: true }),
  };
  static override flags = {
    kind: Flags.string({
      description: `Kind of plugin: ${SCAFFOLDED_KINDS.join(', ')}.`,
      default: 'executor',
      helpValue: '<kind>',
    }),
    dir: Flags.string({ description: 'Folder to create. Default: the ID.', helpValue: '<folder>' }),
  };

  async run(): Promise<{ dir: string; files: string[] }> {
    const { args, flags } = await this.parse(PluginInitCommand);
    const dir = resolve(flags.dir ?? args.id);
    const files = await writeScaffold(args.id, flags.kind, dir);
    this.print(files.map((file) => `${toPrintableLine(file)}\n`).join(''));
    this.note(
      `Written to ${toPrintableLine(dir)}. Next, in that folder: npm install && npm run build && npm test, then svc plugin install .\n`,
    );
    return { dir, files };
  }
}

import { resolve } from 'node:path';
import { Args, Flags } from '@oclif/core';
import { SCAFFOLDED_KINDS } from '../../../src/plugins/scaffold/files.ts';
import { writeScaffold } from '../../../src/plugins/scaffold/writeScaffold.ts';
import { LocalCommand } from '../../base/localCommand.ts';
import { printableLine } from '../../render/printable.ts';

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
      description: `What the plugin is for: ${SCAFFOLDED_KINDS.join(', ')}.`,
      default: 'executor',
      helpValue: '<kind>',
    }),
    dir: Flags.string({ description: 'Folder to create. Default: the ID.', helpValue: '<folder>' }),
  };

  async run(): Promise<{ dir: string; files: string[] }> {
    const { args, flags } = await this.parse(PluginInitCommand);
    const dir = resolve(flags.dir ?? args.id);
    const files = await writeScaffold(args.id, flags.kind, dir);
    this.print(files.map((file) => `${printableLine(file)}\n`).join(''));
    this.note(
      `Written to ${printableLine(dir)}. Next, in that folder: npm install && npm run build && npm test, then svc plugin install .\n`,
    );
    return { dir, files };
  }
}

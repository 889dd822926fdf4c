import type { PluginModel } from '../../../src/schema/plugin.ts';
import { PluginCommand, pluginIdArg } from '../../base/pluginCommand.ts';
import { printableLine } from '../../render/printable.ts';
import { table } from '../../render/table.ts';

export default class PluginModelsCommand extends PluginCommand {
  static override summary = 'List the models that an executor offers.';
  static override examples = ['<%= config.bin %> plugin models greeter'];
  static override args = { id: pluginIdArg };

  async run(): Promise<PluginModel[]> {
    const { args, flags } = await this.parse(PluginModelsCommand);
    const models = await (await this.service(flags)).pluginModels(args.id);
    const rows = models.map(({ id, title }) => [id, title].map(printableLine));
    this.print(table(['MODEL', 'TITLE'], rows, this.io));
    return models;
  }
}

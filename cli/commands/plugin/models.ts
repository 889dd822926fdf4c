import type { PluginModel } from '../../../src/schema/plugin.ts';
import { PluginCommand } from '../../base/pluginCommand.ts';
import { pluginArg, pluginFlag } from '../../input/resolveObjects.ts';
import { toPrintableLine } from '../../render/toPrintable.ts';
import { renderTable } from '../../render/renderTable.ts';

export default class PluginModelsCommand extends PluginCommand {
  static override summary = 'List the models that an executor offers.';
  static override examples = ['<%= config.bin %> plugin models greeter'];
  static override args = { plugin: pluginArg };
  static override flags = { plugin: pluginFlag };

  async run(): Promise<PluginModel[]> {
    const parsed = await this.parse(PluginModelsCommand);
    const { flags } = parsed;
    const { plugin: id } = this.objects(['plugin'], parsed);
    const models = await (await this.service(flags)).pluginModels(id);
    const rows = models.map(({ id, title }) => [id, title].map(toPrintableLine));
    this.print(renderTable(['MODEL', 'TITLE'], rows, this.io));
    return models;
  }
}

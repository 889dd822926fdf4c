import type { PluginModel } from '../../../src/contract/schema/runner/plugin.ts';
import { PluginCommand } from '../../base/pluginCommand.ts';
import { pluginArg, pluginFlag } from '../../input/resolveObjects.ts';
import { toPrintableLine } from '../../render/text/toPrintable.ts';
import { renderTable } from '../../render/text/renderTable.ts';

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

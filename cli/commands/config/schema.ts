import { configJsonSchema } from '../../../src/config/configSchema.ts';
import { SvcCommand } from '../../base/base.ts';

export default class ConfigSchemaCommand extends SvcCommand {
  static override summary = 'Print the JSON Schema of the configuration file. Needs no runner.';
  static override examples = ['<%= config.bin %> config schema > config.schema.json'];

  async run(): Promise<Record<string, unknown>> {
    await this.parse(ConfigSchemaCommand);
    const schema = configJsonSchema();
    this.print(`${JSON.stringify(schema, null, 2)}\n`);
    return schema;
  }
}

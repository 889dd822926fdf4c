import { buildConfigJsonSchema } from '../../../src/host/config/configSchema.ts';
import { LocalCommand } from '../../base/localCommand.ts';

export default class ConfigSchemaCommand extends LocalCommand {
  static override summary = 'Print the JSON Schema of the configuration file. Needs no runner.';
  static override examples = ['<%= config.bin %> config schema > config.schema.json'];

  async run(): Promise<Record<string, unknown>> {
    await this.parse(ConfigSchemaCommand);
    const schema = buildConfigJsonSchema();
    this.print(`${JSON.stringify(schema, null, 2)}\n`);
    return schema;
  }
}

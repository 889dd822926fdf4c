import { toDocsAddress } from '../../../src/base/http/toDocsAddress.ts';
import { Args } from '@oclif/core';
import { buildEditorSchema } from '../../../src/workflows/definition/buildEditorSchema.ts';
import { LocalCommand } from '../../base/localCommand.ts';

export default class WorkflowSchemaCommand extends LocalCommand {
  static override summary =
    'Print the JSON Schema of the front matter of workflows or agents, for editors.';
  static override description =
    `Save it and name it in the first line of the front matter: # yaml-language-server: $schema=<path>. See ${toDocsAddress('guides/write-a-workflow.md')}.`;
  static override examples = [
    '<%= config.bin %> workflow schema > .svc/workflow.schema.json',
    '<%= config.bin %> workflow schema agent > .svc/agent.schema.json',
  ];
  static override args = {
    kind: Args.string({
      description: 'Which files the schema is for.',
      options: ['workflow', 'agent'],
      default: 'workflow',
    }),
  };

  async run(): Promise<Record<string, unknown>> {
    const { args } = await this.parse(WorkflowSchemaCommand);
    const schema = buildEditorSchema(args.kind === 'agent' ? 'agent' : 'workflow');
    this.print(`${JSON.stringify(schema, null, 2)}\n`);
    return schema;
  }
}

import { Args, Flags } from '@oclif/core';
import type { Machine } from '../../../src/contract/schema/workflow/machine.ts';
import { renderMermaidChart } from '../../../src/workflows/definition/graph/renderMermaidChart.ts';
import { renderSvgChart } from '../../../src/workflows/definition/graph/renderSvgChart.ts';
import { renderXStateModule } from '../../../ui/chart/picture/renderXStateModule.ts';
import { buildWorkflowMachine } from '../../../src/workflows/definition/buildWorkflowMachine.ts';
import { LocalCommand } from '../../base/localCommand.ts';
import { readWorkflowDraft } from '../../input/readWorkflowDraft.ts';

const FORMATS = ['mermaid', 'svg', 'json', 'xstate'] as const;

export default class WorkflowGraphCommand extends LocalCommand {
  static override summary = 'Draw a workflow as a statechart, without a runner.';
  static override description =
    "Draws the transitions implied by phase order, checkpoints, waits and the coordinator, and the phases that the agents' texts name. Linter findings go to standard error. A workflow with errors is drawn as far as it can be read. --json is the same as --format json.";
  static override examples = [
    '<%= config.bin %> workflow graph workflows/job.md',
    '<%= config.bin %> workflow graph workflows/job.md --format svg > job.svg',
    '<%= config.bin %> workflow graph workflows/job.md --format xstate > job.machine.ts',
  ];
  static override args = {
    file: Args.string({ description: 'Workflow file, or - for standard input.', required: true }),
  };
  static override flags = {
    format: Flags.option({
      description:
        'mermaid: a state diagram as text. svg: a drawing. json: the chart as GET /machines gives it. xstate: a module for createMachine.',
      options: FORMATS,
      default: 'mermaid' as const,
    })(),
  };

  async run(): Promise<Machine> {
    const { args, flags } = await this.parse(WorkflowGraphCommand);
    const { parsed, overlay, table } = await readWorkflowDraft(args.file, this.io);
    const readAgentText = (path: string) =>
      overlay.has(path) ? overlay.agent(path).body : undefined;
    const machine = buildWorkflowMachine(parsed.file, parsed.meta, table, readAgentText);
    const { definition } = machine;
    const texts = {
      mermaid: () => renderMermaidChart(definition),
      svg: () => renderSvgChart(definition, parsed.meta.label),
      json: () => `${JSON.stringify(machine, null, 2)}\n`,
      xstate: () => renderXStateModule(parsed.meta.id, definition),
    };
    this.print(texts[flags.format]());
    return machine;
  }
}

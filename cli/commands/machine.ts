import { Args, Flags } from '@oclif/core';
import { liveCharts } from '../../machines/index.ts';
import { buildMachineView } from '../../src/jobs/questions/buildMachineView.ts';
import { renderMachineDiagram } from '../../ui/chart/picture/renderMachineDiagram.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import { CHARTS } from '../../src/host/runner/charts.ts';
import type { Machine } from '../../src/contract/schema/workflow/machine.ts';
import { LocalCommand } from '../base/localCommand.ts';
import { renderMachinePicture } from '../render/renderMachinePicture.ts';

const FORMATS = ['mermaid', 'svg', 'xstate', 'json'] as const;
const MACHINES = [...CHARTS, ...liveCharts];

export default class MachineCommand extends LocalCommand {
  static override summary = 'Print a statechart of svc, without a runner.';
  static override description =
    'Without a name, lists the charts. xstate is the config that createMachine of XState 5 takes, with guards and actions by name; paste it into https://stately.ai/registry/editor, or provide the implementations. --json is the same as --format json.';
  static override examples = [
    '<%= config.bin %> machine',
    '<%= config.bin %> machine job',
    '<%= config.bin %> machine job --format svg > job.svg',
    '<%= config.bin %> machine job --format xstate > job.json',
  ];
  static override args = {
    name: Args.string({ description: 'Name of the chart, such as job.' }),
  };
  static override flags = {
    format: Flags.option({
      description:
        'mermaid: a state diagram as text. svg: a picture, as the dashboard draws it. xstate: a config for createMachine, as JSON. json: the chart as GET /machines gives it.',
      options: FORMATS,
      default: 'mermaid' as const,
    })(),
  };

  async run(): Promise<Machine | Pick<Machine, 'chart' | 'description'>[]> {
    const { args, flags } = await this.parse(MachineCommand);
    if (args.name === undefined) {
      const list = MACHINES.map(({ id, about = '' }) => ({ chart: id, description: about }));
      for (const { chart, description } of list) this.print(`${chart.padEnd(10)}${description}\n`);
      return list;
    }
    const chart = MACHINES.find(({ id }) => id === args.name);
    if (!chart) {
      const machineIds = MACHINES.map(({ id }) => id).join(', ');
      throw new SvcError('not-found', `There is no chart ${args.name}. Charts: ${machineIds}.`);
    }
    const view = buildMachineView(chart);
    const texts = {
      mermaid: () => renderMachineDiagram(view.definition),
      svg: () => renderMachinePicture(view),
      xstate: () => `${JSON.stringify(chart.machine.config, null, 2)}\n`,
      json: () => `${JSON.stringify(view, null, 2)}\n`,
    };
    this.print(await texts[flags.format]());
    return view;
  }
}

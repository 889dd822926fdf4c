import { Args, Flags } from '@oclif/core';
import { toDocsAddress } from '../../../src/base/http/toDocsAddress.ts';
import { isolateInvariant } from '../../input/isolateInvariant.ts';
import type { SimulationResult } from '../../../src/workflows/simulation/simulate.ts';
import { LocalCommand } from '../../base/localCommand.ts';
import { formatSimulation } from '../../render/workflow/formatSimulation.ts';
import { readWorkflowDraft } from '../../input/readWorkflowDraft.ts';
import { readSource } from '../../../src/workflows/overlay/readDraft.ts';
import { decodeFileText } from '../../../src/workflows/definition/decodeFileText.ts';
import { createFindings } from '../../../src/workflows/definition/findings.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';
import type { Step } from '../../../src/workflows/simulation/step.ts';

/** Throws SvcError `not-found`, or `invalid` with `file:line:column` of every mistake. */
async function readSimulationScript(
  path: string,
  parseScript: (text: string, file: string) => Step[],
): Promise<Step[]> {
  const findings = createFindings(path);
  const text = decodeFileText(await readSource(path), findings);
  if (text !== null) return parseScript(text, path);
  throw new SvcError('invalid', `${path} is not a valid script.`, {
    errors: findings.list.map(({ line, column, message, hint }) => ({
      pointer: `${path}:${line}:${column}`,
      message: `${message} ${hint}`,
    })),
  });
}

/** What was not shown: by itself, an agent sets no work items and goes back nowhere. */
const WITHOUT_SCRIPT = `Without a script every phase is played once: loops over work items, goto_phase, rejections and reviews are not shown. To play a loop, write its steps in a file and give it with --script:\n  - work-items: [first, second]\n  - { in: <last phase of the loop>, goto: <first phase of the loop> }\n${toDocsAddress('guides/simulate-a-workflow.md')}\n`;

export default class WorkflowSimulateCommand extends LocalCommand {
  static override summary =
    'Simulate a workflow without agents: states, timeline and phases reached.';
  static override description =
    `Runs the real job chart with a simulated clock. Agents, people and forges do what the workflow expects, unless the script says otherwise; ${toDocsAddress('guides/simulate-a-workflow.md')} describes scripts. Exits with 1 if the workflow has errors, a script step is not possible or an expectation is not met.`;
  static override examples = [
    '<%= config.bin %> workflow simulate workflows/job.md',
    '<%= config.bin %> workflow simulate workflows/job.md --script rework.yml --json',
    '<%= config.bin %> workflow simulate workflows/job-automerge.md --invariant merge-approved',
  ];
  static override args = {
    file: Args.string({ description: 'Workflow file, or - for standard input.', required: true }),
  };
  static override flags = {
    script: Flags.string({
      description: 'YAML list of the events to simulate.',
      helpValue: '<file>',
    }),
    invariant: Flags.string({
      description:
        'Instead of a script, play the shortest path to the point where this invariant stops something.',
      helpValue: '<id>',
      exclusive: ['script'],
    }),
  };

  async run(): Promise<SimulationResult> {
    const { args, flags } = await this.parse(WorkflowSimulateCommand);
    const { parsed, table } = await readWorkflowDraft(args.file, this.io);
    // Loaded here: no other command needs the charts.
    const [{ simulate }, { parseScript }] = await Promise.all([
      import('../../../src/workflows/simulation/simulate.ts'),
      import('../../../src/workflows/simulation/parseScript.ts'),
    ]);
    const simulationInput =
      flags.invariant === undefined
        ? { workflow: table, script: undefined }
        : isolateInvariant(parsed, flags.invariant);
    const steps =
      simulationInput.script === undefined
        ? flags.script === undefined
          ? []
          : await readSimulationScript(flags.script, parseScript)
        : parseScript(simulationInput.script, 'path.yml');
    const { workflow } = simulationInput;
    const simulation = await simulate({ workflow, workflowPath: parsed.file, steps });
    if (simulationInput.script !== undefined)
      this.note(`The path as a script:\n${simulationInput.script}`);
    this.print(formatSimulation(simulation, this.io));
    if (steps.length === 0) this.note(`\n${WITHOUT_SCRIPT}`);
    for (const { line, column, message } of simulation.failures)
      this.io.err(`${flags.script ?? 'path.yml'}:${line}:${column} ${message}\n`);
    const broken = parsed.diagnostics.some(({ severity }) => severity === 'error');
    if (broken)
      this.io.err('The workflow has errors, so no job can run it; this is what could be read.\n');
    if (broken || simulation.failures.length > 0) this.io.exitWith(1);
    return simulation;
  }
}

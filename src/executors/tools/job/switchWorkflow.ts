import Type from 'typebox';
import { formatPhaseNames, requireUsableWorkflow } from './phases.ts';
import { defineTool, createInputSchema, SETS, ToolRefusal, createTextField } from '../tool.ts';

/**
 * Any workflow of the overlay is allowed, if it parses and has the phase: there is no allowlist
 * (TOOL-9).
 */
export const switchWorkflow = defineTool({
  name: 'switch_workflow',
  title: 'Switch the workflow',
  description:
    'Continues this job with another workflow of its overlay when your turn ends. Work items, pull requests and artefacts stay. ' +
    'Any existing, valid workflow can be used; a phase beyond one of its checkpoints waits for approval first. End your turn after it.',
  input: createInputSchema({
    workflowPath: createTextField(
      'Path of the workflow in the overlay, e.g. workflows/bugfix.md.',
      256,
    ),
    toPhase: Type.Optional(
      createTextField('Phase of that workflow to begin with; default: its initial_phase.', 64),
    ),
    reason: Type.Optional(createTextField('Why, for the people who read the history.', 1_000)),
  }),
  hints: SETS,
  async run({ workflowPath, toPhase, reason }, call) {
    const workflow = await requireUsableWorkflow('switch_workflow', call.port, workflowPath);
    const phase = toPhase ?? workflow.initial_phase;
    if (!workflow.phases.some(({ name }) => name === phase)) {
      throw new ToolRefusal(
        `switch_workflow: nothing was done. ${workflowPath} has no phase "${phase}". Its phases: ${formatPhaseNames(workflow)}; initial_phase is ${workflow.initial_phase}.`,
      );
    }
    const { duplicate } = await call.send({
      type: 'tool.switch_workflow',
      workflowPath,
      workflow,
      toPhase: phase,
      reason: reason ?? '',
    });
    return {
      text: `The job continues with ${workflowPath} in phase ${phase} when this session ends. End your turn now.`,
      data: { workflowPath, toPhase: phase, duplicate },
    };
  },
});

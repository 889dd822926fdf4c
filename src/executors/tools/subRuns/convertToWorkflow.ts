import Type from 'typebox';
import { MAX_GIVEN_REASON_CHARS } from '../../../base/limits/jobLimits.ts';
import { explainNotCoordinating } from './coordinator.ts';
import { checkJobParams } from '../job/checkJobParams.ts';
import { requireUsableWorkflow } from '../job/phases.ts';
import { defineTool, createInputSchema, SETS, ToolRefusal, createTextField } from '../tool.ts';

const NAME = 'convert_to_workflow';

/** Reason in the history when the agent gives none. */
const NO_REASON = 'the work needs several sub-runs';

/**
 * Turns a job that is too large for one run into a campaign (TOOL-4, JOB-12). The history names the
 * tool that was called.
 */
const createConversionTool = (name: typeof NAME | 'convert_to_campaign') =>
  defineTool({
    name,
    title: 'Convert to a coordinating workflow',
    description:
      'Makes this job the parent of sub-runs: it continues with a workflow that has coordinator.enabled, from its first phase on, when your turn ends. ' +
      'Work items, pull requests and artefacts stay; sub-runs start with none. For any other workflow use switch_workflow. End your turn after it.',
    input: createInputSchema({
      workflowPath: createTextField(
        'Path of a workflow with coordinator.enabled in the overlay, e.g. workflows/campaign.md.',
        256,
      ),
      params: Type.Optional(
        Type.Object(
          {},
          {
            additionalProperties: true,
            description: 'Parameters to merge into those of this job, by name.',
          },
        ),
      ),
      reason: Type.Optional(
        createTextField('Why the job is split; kept in its history.', MAX_GIVEN_REASON_CHARS),
      ),
    }),
    hints: SETS,
    async run({ workflowPath, params = {}, reason = NO_REASON }, call) {
      const workflow = await requireUsableWorkflow(name, call.port, workflowPath);
      const problem = explainNotCoordinating(workflowPath, workflow);
      if (problem !== null)
        throw new ToolRefusal(`${name}: nothing was done. ${problem}. Use switch_workflow for it.`);
      checkJobParams(name, call.port.job().params, params);
      const toPhase = workflow.initial_phase;
      const alias = name === NAME ? {} : { alias: name };
      const event = {
        type: 'tool.convert_to_workflow' as const,
        workflowPath,
        workflow,
        toPhase,
        reason,
        ...alias,
      };
      const { duplicate } = await call.send(event);
      if (Object.keys(params).length > 0) {
        // A key of its own, after the conversion: a session that was cut off in between repeats
        // both.
        const receipt = await call.port.send(
          { type: 'tool.set_job_params', params },
          `${call.key}/params`,
        );
        if (!receipt.ok)
          throw new ToolRefusal(
            `${name}: the job converts, but its params were not set: ${receipt.message}`,
          );
      }
      return {
        text: `The job continues with ${workflowPath} in phase ${toPhase} when this session ends; register its sub-runs there. End your turn now.`,
        data: { workflowPath, toPhase, duplicate },
      };
    },
  });

export const convertToWorkflow = createConversionTool(NAME);
export const convertToCampaign = createConversionTool('convert_to_campaign');

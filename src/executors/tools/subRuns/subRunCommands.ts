import Type from 'typebox';
import { MAX_GIVEN_REASON_CHARS } from '../../../base/limits/jobLimits.ts';
import { SUB_RUN_NAME } from '../../../contract/schema/job/subRun.ts';
import { checkSubRunParams } from '../job/checkJobParams.ts';
import { defineTool, createInputSchema, SETS, type Tool, createTextField } from '../tool.ts';

/**
 * Part of each description: a person checks a failure, and first sees what would change (TOOL-11).
 */
const PEOPLE_DECIDE =
  'Only at the request of a person. An evaluator suggests it, with its reason, and leaves the decision to people: it does not call this.';

const name = Type.String({ pattern: SUB_RUN_NAME, description: 'Name of the sub-run.' });
const reason = Type.Optional(
  createTextField('Why, and who asked for it; kept with the sub-run.', MAX_GIVEN_REASON_CHARS),
);

const skipSubRun = defineTool({
  name: 'skip_sub_run',
  title: 'Skip a sub-run',
  description: `Skips one sub-run: those that wait for it continue as if it were complete; a running one is stopped. ${PEOPLE_DECIDE}`,
  coordinatorOnly: true,
  onlyListed: true,
  input: createInputSchema({ name, reason }),
  hints: { ...SETS, destructiveHint: true },
  async run(args, call) {
    const { duplicate } = await call.coordinate(
      { type: 'tool.sub_run_command', command: 'skip', name: args.name },
      { type: 'subRuns.skip', name: args.name, reason: args.reason ?? null, by: 'agent' },
    );
    return { text: `Sub-run ${args.name} is skipped.`, data: { name: args.name, duplicate } };
  },
});

const rerunSubRun = defineTool({
  name: 'rerun_sub_run',
  title: 'Run a sub-run again',
  description: `Runs a sub-run that has ended again, as a new job; those that were skipped because of it wait for it again. Once per sub-run; after all have ended it starts when the job waits again. ${PEOPLE_DECIDE}`,
  coordinatorOnly: true,
  onlyListed: true,
  input: createInputSchema({
    name,
    reason,
    paramsPatch: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: 'Parameters to merge into those of the sub-run, e.g. { "lane": "job" }.',
        },
      ),
    ),
  }),
  hints: SETS,
  async run(args, call) {
    checkSubRunParams('rerun_sub_run', args.paramsPatch ?? {});
    const patch = args.paramsPatch === undefined ? {} : { paramsPatch: args.paramsPatch };
    const { duplicate } = await call.coordinate(
      { type: 'tool.sub_run_command', command: 'rerun', name: args.name },
      {
        type: 'subRuns.rerun',
        name: args.name,
        reason: args.reason ?? null,
        ...patch,
        by: 'agent',
      },
    );
    return { text: `Sub-run ${args.name} runs again.`, data: { name: args.name, duplicate } };
  },
});

const cancelSubRun = defineTool({
  name: 'cancel_sub_run',
  title: 'Cancel a sub-run',
  description: `Cancels one sub-run, which then counts as failed: what waits for it follows the failure policy. ${PEOPLE_DECIDE}`,
  coordinatorOnly: true,
  onlyListed: true,
  input: createInputSchema({ name, reason }),
  hints: { ...SETS, destructiveHint: true },
  async run(args, call) {
    const { duplicate } = await call.coordinate(
      { type: 'tool.sub_run_command', command: 'cancel', name: args.name },
      { type: 'subRuns.cancel', name: args.name, reason: args.reason ?? null, by: 'agent' },
    );
    return { text: `Sub-run ${args.name} is cancelled.`, data: { name: args.name, duplicate } };
  },
});

export const subRunCommands: readonly Tool[] = [skipSubRun, rerunSubRun, cancelSubRun];

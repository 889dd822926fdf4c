import Type from 'typebox';
import {
  MAX_DEPENDS_ON,
  MAX_SUB_RUN_DESCRIPTION_CHARS,
  SUB_RUN_NAME,
} from '../../../contract/schema/job/subRun.ts';
import { convertToWorkflow } from './convertToWorkflow.ts';
import { checkSubRunParams } from '../job/checkJobParams.ts';
import { subRunCommands } from './subRunCommands.ts';
import {
  defineTool,
  createInputSchema,
  SETS,
  ToolRefusal,
  createTextField,
  READS,
  type Tool,
} from '../tool.ts';
import type { Campaign, SubRunView } from '../../../contract/schema/job/campaign.ts';

const formatSubRunLine = ({ name, status, attempt, waitsFor, reason }: SubRunView): string =>
  [
    `${name} [${status}]`,
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    ...(reason === null ? [] : [reason]),
    ...(waitsFor === null ? [] : [waitsFor]),
  ].join('; ');

/**
 * Drops descriptions and params: the parent wrote them itself, and those of a thousand sub-runs
 * would be megabytes.
 */
const dropWrittenMembers = ({ description: _, params: __, ...view }: SubRunView) => view;

const toCampaignAnswer = ({ subRuns, ...whole }: Campaign) => ({
  text: [
    `The sub-runs are ${whole.state}: ${whole.waitsFor}`,
    ...subRuns.map(formatSubRunLine),
  ].join('\n'),
  data: { ...whole, subRuns: subRuns.map(dropWrittenMembers) },
});

const subRunStatus = defineTool({
  name: 'sub_run_status',
  title: 'Get the sub-runs',
  description:
    'Returns the state of every sub-run of this job, what each one waits for, and why one failed or was skipped.',
  coordinatorOnly: true,
  input: createInputSchema({}),
  hints: READS,
  async run(_args, { port }) {
    const campaign = port.campaign();
    return campaign
      ? toCampaignAnswer(campaign)
      : { text: 'There are no sub-runs.', data: { state: null, subRuns: [] } };
  },
});

/** Most problems that are listed; a graph of a thousand sub-runs can have as many. */
const MAX_PROBLEMS_TOLD = 50;
/** Most notes about failures that are listed. */
const MAX_NOTES_TOLD = 10;

const registerSubRun = defineTool({
  name: 'register_sub_run',
  title: 'Register a sub-run',
  description:
    'Registers one sub-run of this job: a job of its own, which sees this description and nothing of your session. ' +
    'The same name again replaces a sub-run that has not started. Nothing starts before finalize_sub_runs.',
  coordinatorOnly: true,
  input: createInputSchema({
    name: Type.String({
      pattern: SUB_RUN_NAME,
      description:
        'Unique name: 1 to 64 characters: a-z, 0-9, ".", "_", "-". Others depend on it by this name.',
    }),
    description: createTextField(
      'What the sub-run must do and when it counts as done.',
      MAX_SUB_RUN_DESCRIPTION_CHARS,
    ),
    params: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description:
            'Parameters of its job. lane = id of the workflow that it runs, instead of coordinator.subRunWorkflowPath; epicAllowed true = it may have sub-runs of its own; repoSlug = another repository than this one.',
        },
      ),
    ),
    dependsOn: Type.Optional(
      Type.Array(Type.String({ pattern: SUB_RUN_NAME }), {
        maxItems: MAX_DEPENDS_ON,
        uniqueItems: true,
        description:
          'Names of the sub-runs that must be complete first; they may be registered later. Default: none.',
      }),
    ),
    trackerRef: Type.Optional(createTextField('Issue key or url.', 256)),
  }),
  hints: SETS,
  async run(spec, call) {
    if (spec.dependsOn?.includes(spec.name)) {
      throw new ToolRefusal(
        `register_sub_run: nothing was done. ${spec.name} cannot depend on itself.`,
      );
    }
    checkSubRunParams('register_sub_run', spec.params ?? {});
    const { duplicate } = await call.coordinate(
      { type: 'tool.register_sub_run', name: spec.name },
      { type: 'subRuns.register', spec },
    );
    return {
      text: `Sub-run ${spec.name} is registered. finalize_sub_runs when all are.`,
      data: { name: spec.name, duplicate },
    };
  },
});

const formatClippedList = (lines: readonly string[], most: number): string[] => [
  ...lines.slice(0, most).map((line) => `- ${line}`),
  ...(lines.length > most ? [`- and ${lines.length - most} more`] : []),
];

const finalizeSubRuns = defineTool({
  name: 'finalize_sub_runs',
  title: 'Finalize the sub-runs',
  description:
    'Checks all registered sub-runs together and submits them: cycles, unknown names, unknown workflows and missing parameters are reported together, and nothing is done then. ' +
    'When it is accepted the job parks after your turn (after the approval of this phase, where it has a checkpoint), and continues when the last sub-run has ended. End your turn after it.',
  coordinatorOnly: true,
  input: createInputSchema({}),
  hints: SETS,
  async run(_args, call) {
    const problems = await call.port.subRunProblems();
    if (problems.length > 0) {
      throw new ToolRefusal(
        [
          'finalize_sub_runs: nothing was done. Fix these with register_sub_run (the same name replaces) and call it again:',
          ...formatClippedList(problems, MAX_PROBLEMS_TOLD),
        ].join('\n'),
      );
    }
    const { duplicate } = await call.coordinate(
      { type: 'tool.finalize_sub_runs' },
      { type: 'subRuns.finalize' },
    );
    const campaign = call.port.campaign();
    const subRuns = campaign?.subRuns.map(({ name }) => name) ?? [];
    const notes = call.port.subRunNotes();
    const noteLines =
      notes.length > 0
        ? ['Tell the people who approve:', ...formatClippedList(notes, MAX_NOTES_TOLD)]
        : [];
    const bounds = campaign
      ? `, at most ${campaign.maxParallelSubRuns} at once, ${campaign.failurePolicy} on a failure`
      : '';
    return {
      text: [
        `${subRuns.length} sub-runs are finalized${bounds}. They start when the job parks.`,
        ...noteLines,
        'End your turn now.',
      ].join('\n'),
      data: { subRuns, criticalPath: campaign?.criticalPath ?? [], notes, duplicate },
    };
  },
});

export const orchestrationTools: readonly Tool[] = [
  convertToWorkflow,
  registerSubRun,
  finalizeSubRuns,
  subRunStatus,
  ...subRunCommands,
];

import type { Campaign, SubRunView } from '../../../contract/schema/job/campaign.ts';
import { defineTool, createInputSchema, READS } from '../tool.ts';

const formatSubRunLine = ({ name, status, attempt, waitsFor, reason }: SubRunView): string =>
  [
    `${name} [${status}]`,
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    ...(reason === null ? [] : [reason]),
    ...(waitsFor === null ? [] : [waitsFor]),
  ].join('; ');

/**
 * Without descriptions and params, which the parent wrote itself and which of a thousand sub-runs
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

export const subRunStatus = defineTool({
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

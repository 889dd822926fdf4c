import type { CampaignStage } from '../../../demo/campaignDecisions.ts';
import {
  type BeforeSkip,
  toDispatcherId,
  type JobContext,
  type SubRunsContext,
} from '../../../machines/index.ts';
import type { ActorState } from '../../../src/kernel/chart.ts';
import type { Kernel } from '../../../src/kernel/contract.ts';
import { buildCampaignView } from '../../../src/sessions/subRuns/buildCampaignView.ts';
import { createSubRunCommands } from '../../../src/sessions/subRuns/subRunCommands.ts';
import {
  readBeforeSkip,
  findSubRunSpec,
  listSubRunSpecs,
} from '../../../src/jobs/views/listSubRunSpecs.ts';
import { JobViews } from '../../../src/jobs/views/jobViews.ts';
import { Requests } from '../../../src/jobs/commands/requests.ts';
import type { OpenStore } from '../../../src/jobs/store/openStore.ts';

/** What a person does about campaigns, on a kernel without HTTP; a merge is a forge event. */
export function campaignStage(
  kernel: Kernel,
  { durable, rows, jobs }: OpenStore,
  now: () => number,
): CampaignStage {
  const readState = (id: string) => (kernel.state(id) ?? missing(id)) as ActorState<JobContext>;
  const dispatcher = (id: string) =>
    (kernel.state(toDispatcherId(id)) ?? missing(toDispatcherId(id))) as ActorState<SubRunsContext>;
  const views = new JobViews({ rows, readListed: (id) => jobs.findJob(id) ?? missing(id) });
  const commands = createSubRunCommands({
    kernel,
    dispatcher,
    parent: readState,
    spec: (id, name) => findSubRunSpec(rows, id, name),
    readBeforeSkip(id, name) {
      const row = readBeforeSkip(rows, id, name);
      return row === null ? null : (JSON.parse(row) as BeforeSkip);
    },
    requests: new Requests(rows, async () => {}, now),
  });
  const sources = {
    rules: () => null,
    specs: (id: string) => listSubRunSpecs(rows, id),
    usage: () => [],
    countUnreported: () => 0,
    insights: () => [],
    now,
    readLastOutput: () => ({}),
  };
  return {
    job: async (id) => views.of(readState(id)),
    campaign: async (id) =>
      buildCampaignView({ ...sources, row: (jobId) => durable.actor(jobId) }, id, dispatcher(id)),
    async resume(id, body = {}) {
      const { accepted } = await kernel.send(id, { type: 'job.resume', ...body });
      if (!accepted) throw new Error(`${id} does not take ${body.eventKey}`);
    },
    async mergePullRequest(repo, number, { author } = {}) {
      const of = { forge: 'local', repo, number };
      const owner = rows.one('pr_mappings', of)?.job_id ?? missing(`${repo}#${number}`);
      const externalId = `merged ${repo}#${number}`;
      const event = {
        ...of,
        kind: 'merged',
        prId: `local:${repo}#${number}`,
        author,
        text: '',
        url: '',
        externalId,
        happenedAt: now(),
      };
      await kernel.submit({
        sends: [
          { to: owner, event: { type: 'forge.event', event }, source: 'forge:local', externalId },
        ],
      });
    },
    subRunWhatIf: async (id, name, body) => commands.subRunWhatIf(id, name, body),
    skipSubRun: (id, name, body = {}) => commands.skipSubRun(id, name, body, { by: 'open' }),
    rerunSubRun: (id, name, body = {}) => commands.rerunSubRun(id, name, body, { by: 'open' }),
  };
}

const missing = (what: string): never => {
  throw new Error(`there is no ${what}`);
};

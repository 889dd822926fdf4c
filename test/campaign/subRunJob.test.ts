import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { subRunJob, type SubRunJobDeps } from '../../src/campaign/subRunJob.ts';
import type { JobTracker } from '../../src/contract/tracker.ts';
import type { RowReader } from '../../src/durable/sqlite/rowReader.ts';
import type { CappedPhase } from '../../src/job/enforcement.ts';
import { JobIds } from '../../src/job/jobIds.ts';
import { createForges } from '../../src/providers/forges.ts';
import { createTrackers } from '../../src/providers/trackers.ts';
import type { Forge } from '../../src/contract/forge.ts';
import { capOf } from '../support/caps.ts';
import { CAMPAIGN_WORKFLOW, SteppedJob } from '../support/charts/jobSteps.ts';
import { SimulatedClock } from '../support/charts/simulatedClock.ts';
import { refusalOf } from '../support/refusal.ts';
import { guardrailStage } from '../guardrails/stage.ts';
import { OVERLAY } from '../sim/campaigns/lanes.ts';

const test = suite('sub-runs: the job that is made of one');

const PAGE = 'http://hub.test/issues/MT-7';

const PARENT = {
  ...CAMPAIGN_WORKFLOW,
  coordinator: CAMPAIGN_WORKFLOW.coordinator && {
    ...CAMPAIGN_WORKFLOW.coordinator,
    subRunWorkflowPath: 'workflows/plain.md',
  },
};

const BLIND: CappedPhase = {
  workflowPath: '',
  name: 'building',
  fallback: null,
  provider: 'command',
  model: null,
  call: {
    metered: true,
    isListed: true,
    microUsd: 1,
    reportsUsage: 'never',
    stopsBetweenCalls: false,
  },
  accounts: [capOf('usd')],
};

/** A sub-run in `acme/shop` of the forge `hub`, about a ticket; `missing`: what the forge lacks. */
function made(
  missing: readonly string[] = [],
  more: { unattended?: object } = {},
  guardrails?: SubRunJobDeps['guardrails'],
) {
  const clock = new SimulatedClock();
  const parent = new SteppedJob(PARENT, {
    params: { repoSlug: 'acme/shop', gitProvider: 'hub', ...more },
  }).run().context;
  const row = {
    parent: parent.id,
    name: 'a',
    description: 'Do it.',
    params: '{}',
    depends_on: '[]',
    tracker_ref: PAGE,
    status: 'pending',
    job_id: null,
    started_at: null,
    completed_at: null,
    attempt: 0,
    reason: null,
  };
  const tick = {
    id: 'tick',
    serves: () => true,
    issueAt: async (address: string) => (address === PAGE ? 'MT-7' : null),
  };
  const deps: SubRunJobDeps = {
    rows: { one: () => row, all: () => [] } as Partial<RowReader> as RowReader,
    forges: createForges([{ id: 'hub', serves: () => true } as Partial<Forge> as Forge]),
    trackers: createTrackers(() => [tick as Partial<JobTracker> as JobTracker]),
    repositories: {
      errors: async ({ repoSlug }) =>
        missing.includes(String(repoSlug))
          ? [{ pointer: '/params/repoSlug', message: 'names what hub has not' }]
          : [],
    },
    clock,
    ids: new JobIds(() => false),
    enforcement: { phases: ({ workflowPath }) => [{ ...BLIND, workflowPath }] },
    now: () => clock.now(),
    overlay: async () => OVERLAY,
    contextOf: () => parent,
    insights: () => [],
    ...(guardrails ? { guardrails } : {}),
  };
  return subRunJob(deps)({ parentJobId: parent.id, name: 'a', attempt: 1 });
}

test('a ticket that is given by its address is named by key and tracker, so that its comments find the job', async () => {
  const { params } = (await made()).input;
  assert.equal([params.trackerRef, params.trackerProvider], ['MT-7', 'tick']);
});

test('a repository that the forge does not have when the sub-run starts keeps it from starting (SUB-1)', async () => {
  const refusal = await refusalOf(() => made(['acme/shop']));
  assert.is(refusal.code, 'invalid');
  assert.equal(refusal.errors, [
    { pointer: '/params/repoSlug', message: 'names what hub has not' },
  ]);
});

test('a rule keeps a sub-run from beginning, as it does a job (CFG-4)', async () => {
  const { guardrails } = await guardrailStage([
    { id: 'mine', when: 'job.start', if: 'actor == "sub-run"' },
  ]);
  assert.is((await refusalOf(() => made([], {}, guardrails))).code, 'guardrail');
});

test('a sub-run that works unattended is not made where its cap could not be enforced (JOB-16)', async () => {
  const { code, message } = await refusalOf(() =>
    made([], { unattended: { until: '2030-01-01T00:00:00.000Z' } }),
  );
  assert.is(code, 'cannot-run');
  assert.match(message, /in the phase building of workflows\/plain\.md, because command/);
});

test.run();

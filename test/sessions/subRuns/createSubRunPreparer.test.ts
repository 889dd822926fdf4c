import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  createSubRunPreparer,
  type SubRunJobDeps,
} from '../../../src/sessions/subRuns/createSubRunPreparer.ts';
import type { JobTracker } from '../../../src/contract/forge/tracker.ts';
import type { RowReader } from '../../../src/contract/records/rowReader.ts';
import type { CappedPhase } from '../../../src/jobs/terms/enforcement.ts';
import { JobIds } from '../../../src/jobs/create/jobIds.ts';
import { createForges } from '../../../src/providers/forges.ts';
import { createTrackers } from '../../../src/providers/trackers.ts';
import type { Forge } from '../../../src/contract/forge/forge.ts';
import { createCap } from '../../support/caps.ts';
import { CAMPAIGN_WORKFLOW, SteppedJob } from '../../support/charts/jobSteps.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';
import { catchRefusal } from '../../support/refusal.ts';
import { guardrailStage } from '../../policy/guardrails/stage.ts';
import { OVERLAY } from '../../sim/campaigns/lanes.ts';
import { dispatchSubRun } from '../../../src/sessions/subRuns/dispatchSubRun.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';
import type { ResolvedOverlay } from '../../../src/jobs/workspace/jobOverlays.ts';
import { noGuardrails } from '../../support/standIns/noGuardrails.ts';

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
  accounts: [createCap('usd')],
};

/** A sub-run in `acme/shop` of the forge `hub`, about a ticket; `missing`: what the forge lacks. */
function prepareSubRunWith(
  missing: readonly string[] = [],
  more: { unattended?: object } = {},
  guardrails: SubRunJobDeps['guardrails'] = noGuardrails,
  now: Partial<SubRunJobDeps> & { spec?: object } = {},
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
    ...now.spec,
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
    readKeptOverlay: async () => null,
    readContext: () => parent,
    insights: () => [],
    guardrails,
    ...now,
  };
  return createSubRunPreparer(deps)({ parentJobId: parent.id, name: 'a', attempt: 1 });
}

const BROKEN = new SvcError('config-invalid', 'The tenant layer cannot be read: EACCES.');
const unread = async (): Promise<never> => {
  throw BROKEN;
};

/** Layers in which the workflow of the sub-run is not there. */
const WITHOUT: ResolvedOverlay = {
  ...OVERLAY,
  overlay: { ...OVERLAY.overlay, has: (path) => path !== 'workflows/plain.md' },
};

/** What the dispatcher is sent when the job is made with these. */
async function prepareAnsweredSubRun(
  now: Partial<SubRunJobDeps> & { spec?: object },
  missing: readonly string[] = [],
) {
  const dispatch = dispatchSubRun({
    subRunJob: () => prepareSubRunWith(missing, {}, undefined, now),
  });
  const params = { parentJobId: 'p', name: 'a', attempt: 1 };
  const run = { effectId: 'e', actorId: 'd', attempt: 1, recovered: false };
  const outcome = await dispatch(params, { ...run, signal: new AbortController().signal });
  const [event] = outcome?.events ?? [];
  return { type: event?.type, needsPerson: event?.needsPerson, message: String(event?.message) };
}

test('a ticket that is given by its address is named by key and tracker, so that its comments find the job', async () => {
  const { params } = (await prepareSubRunWith()).input;
  assert.equal([params.trackerRef, params.trackerProvider], ['MT-7', 'tick']);
});

test('a repository that the forge does not have when the sub-run starts keeps it from starting (SUB-1)', async () => {
  const other = { spec: { params: '{"repoSlug":"acme/till"}' } };
  const refusal = await catchRefusal(() => prepareSubRunWith(['acme/till'], {}, undefined, other));
  assert.is(refusal.code, 'invalid');
  assert.equal(refusal.errors, [
    { pointer: '/params/repoSlug', message: 'names what hub has not' },
  ]);
  assert.is((await prepareAnsweredSubRun(other, ['acme/till'])).type, 'subRun.unprepared');
});

test('layers that cannot be read: its job is made with those of its parent (SUB-3)', async () => {
  const now = { overlay: unread, readKeptOverlay: async () => OVERLAY };
  const { input } = await prepareSubRunWith([], {}, undefined, now);
  assert.is(input.workflowPath, 'workflows/plain.md');
});

test('layers that cannot be read, and none are kept: a person has to repair them (SUB-2)', async () => {
  assert.equal(await prepareAnsweredSubRun({ overlay: unread }), {
    type: 'subRun.postponed',
    needsPerson: true,
    message: BROKEN.message,
  });
});

test('the layers of the parent are not those of another repository (SUB-3)', async () => {
  const spec = { params: '{"repoSlug":"acme/till"}' };
  const now = { overlay: unread, readKeptOverlay: async () => OVERLAY, spec };
  assert.is((await prepareAnsweredSubRun(now)).type, 'subRun.postponed');
});

test('a workflow that has vanished is that of the parent, or is waited for (SUB-3)', async () => {
  const overlay = async () => WITHOUT;
  const { input } = await prepareSubRunWith([], {}, undefined, {
    overlay,
    readKeptOverlay: async () => OVERLAY,
  });
  assert.is(input.workflowPath, 'workflows/plain.md');
  const { type, message } = await prepareAnsweredSubRun({ overlay });
  assert.is(type, 'subRun.postponed');
  assert.match(message, /the workflow workflows\/plain\.md does not exist/);
});

test('a workflow with mistakes is waited for, and the place is named (SUB-3)', async () => {
  const file = 'workflows/plain.md';
  const mistake = { code: 'r', severity: 'error', file, line: 3, column: 1, hint: '' } as const;
  const diagnostics = [{ ...mistake, message: 'has no phases.' }];
  const workflow: ResolvedOverlay['overlay']['workflow'] = (path) => ({
    ...OVERLAY.overlay.workflow(path),
    diagnostics,
  });
  const overlay = async () => ({ ...OVERLAY, overlay: { ...OVERLAY.overlay, workflow } });
  const { type, message } = await prepareAnsweredSubRun({ overlay });
  assert.is(type, 'subRun.postponed');
  assert.match(message, /workflows\/plain\.md:3:1 has no phases\./);
});

test('a workflow that was never there fails the sub-run (SUB-3)', async () => {
  const spec = { params: '{"lane":"nowhere"}' };
  const { type, message } = await prepareAnsweredSubRun({
    spec,
    readKeptOverlay: async () => OVERLAY,
  });
  assert.is(type, 'subRun.unprepared');
  assert.match(message, /nowhere/);
  assert.is((await prepareAnsweredSubRun({ spec })).type, 'subRun.unprepared');
});

test('the repository of its parent that is not there for the moment is waited for (SUB-2)', async () => {
  const { type, needsPerson, message } = await prepareAnsweredSubRun({}, ['acme/shop']);
  assert.equal([type, needsPerson], ['subRun.postponed', true]);
  assert.match(message, /names what hub has not/);
});

test('what passes, and a team overlay that is not fetched yet, is left to the kernel to try again', async () => {
  for (const code of ['temporarily-unavailable', 'cannot-run'] as const) {
    const overlay = async (): Promise<never> => {
      throw new SvcError(code, 'not now');
    };
    const refusal = await catchRefusal(() => prepareAnsweredSubRun({ overlay }));
    assert.is(refusal.status, 503);
  }
});

test('a repository that git cannot read for now, and a right that is missing, need a person (SUB-2)', async () => {
  const locked = new SvcError('conflict', 'locked', { data: { repairable: true } });
  for (const error of [locked, new SvcError('forbidden', 'no right')]) {
    const overlay = async (): Promise<never> => {
      throw error;
    };
    assert.is((await prepareAnsweredSubRun({ overlay })).type, 'subRun.postponed');
  }
});

test('a rule keeps a sub-run from beginning, as it does a job (CFG-4)', async () => {
  const { guardrails } = await guardrailStage([
    { id: 'mine', when: 'job.start', if: 'actor == "sub-run"' },
  ]);
  assert.is((await catchRefusal(() => prepareSubRunWith([], {}, guardrails))).code, 'guardrail');
});

test('a sub-run that works unattended is not made where its cap could not be enforced (JOB-16)', async () => {
  const { code, message } = await catchRefusal(() =>
    prepareSubRunWith([], { unattended: { until: '2030-01-01T00:00:00.000Z' } }),
  );
  assert.is(code, 'cannot-run');
  assert.match(message, /in the phase building of workflows\/plain\.md, because command/);
});

test.run();

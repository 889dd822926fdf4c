import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildCampaignView } from '../../../src/sessions/subRuns/buildCampaignView.ts';
import type { SubRunSpec } from '../../../src/contract/schema/job/subRun.ts';
import { resolveParallelSubRuns } from '../../../src/jobs/subRuns/resolveParallelSubRuns.ts';
import { Dispatcher, PARENT } from '../../support/charts/dispatcherSteps.ts';
import { CAMPAIGN_WORKFLOW } from '../../support/charts/jobSteps.ts';

const test = suite('the rules that a campaign shows');

test('while sub-runs are registered it shows what finalize_sub_runs would use now; afterwards what it used (SUB-3)', () => {
  const { coordinator } = CAMPAIGN_WORKFLOW;
  if (coordinator === null) throw new Error('it coordinates');
  const settings = { coordination: { maxParallelSubRuns: null as number | null } };
  const all = new Dispatcher();
  const runRules = () => {
    const rules = () => ({
      cap: resolveParallelSubRuns(settings, coordinator),
      policy: 'continue' as const,
    });
    const deps = {
      specs: () => [],
      row: () => undefined,
      usage: () => [],
      countUnreported: () => 0,
      insights: () => [],
      now: () => 0,
      readLastOutput: () => ({}),
      rules,
    };
    const { maxParallelSubRuns, failurePolicy } = buildCampaignView(deps, PARENT, all.state);
    return [maxParallelSubRuns, failurePolicy];
  };
  all.register('a');
  assert.equal([all.at, ...runRules()], ['collecting', coordinator.maxParallelSubRuns, 'continue']);
  settings.coordination.maxParallelSubRuns = 7;
  assert.equal(runRules(), [7, 'continue'], 'a change of the configuration counts at once');
  all.finalize(5, 'halt-on-failure');
  assert.equal([all.at, ...runRules()], ['finalized', 5, 'halt-on-failure']);
});

test('sessions that reported no tokens are counted for each sub-run, and with the parent for the whole', () => {
  const all = new Dispatcher();
  all.register('a');
  const unreported: Record<string, number> = { [PARENT]: 1, 'job-a': 2 };
  const spec = (name: string, jobId: string | null): SubRunSpec => ({
    name,
    jobId,
    description: '',
    params: {},
    dependsOn: [],
    trackerRef: null,
    status: 'pending',
    startedAt: null,
    completedAt: null,
    attempt: 1,
    reason: null,
  });
  const campaign = buildCampaignView(
    {
      specs: () => [spec('a', 'job-a'), spec('b', null)],
      row: () => undefined,
      usage: () => [],
      countUnreported: (jobId) => unreported[jobId] ?? 0,
      insights: () => [],
      now: () => 0,
      readLastOutput: () => ({}),
      rules: () => null,
    },
    PARENT,
    all.state,
  );
  assert.equal(
    campaign.subRuns.map((one) => one.unreported),
    [2, 0],
  );
  assert.is(campaign.unreported, 3);
});

test.run();

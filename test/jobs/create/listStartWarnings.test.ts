import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listStartWarnings } from '../../../src/jobs/create/createJob.ts';
import { CAMPAIGN_WORKFLOW, JOB_WORKFLOW } from '../../support/charts/jobSteps.ts';

const test = suite('warnings at the start of a job');

const start = {
  interactive: false,
  workflowPath: 'workflows/campaign.md',
  workflow: CAMPAIGN_WORKFLOW,
  params: {},
  phase: 'planning',
};

test('a headless start of a workflow that halts on a failure names failurePolicy: continue (SUB-4)', () => {
  const [warning, ...others] = listStartWarnings(start);
  assert.match(
    warning ?? '',
    /^The job runs without people, but workflows\/campaign\.md has failurePolicy: halt-on-failure/,
  );
  assert.match(warning ?? '', /Use failurePolicy: continue/);
  assert.equal(others, []);
});

test('the policy of the request overrides that of the workflow', () => {
  assert.equal(listStartWarnings({ ...start, failurePolicy: 'continue' }), []);
  const coordinator = CAMPAIGN_WORKFLOW.coordinator && {
    ...CAMPAIGN_WORKFLOW.coordinator,
    failurePolicy: 'continue' as const,
  };
  assert.equal(
    listStartWarnings({ ...start, workflow: { ...CAMPAIGN_WORKFLOW, coordinator } }),
    [],
  );
  assert.is(
    listStartWarnings({
      ...start,
      workflow: { ...CAMPAIGN_WORKFLOW, coordinator },
      failurePolicy: 'halt-on-failure',
    }).length,
    1,
  );
});

test('with people, or without sub-runs, there is no warning', () => {
  assert.equal(listStartWarnings({ ...start, interactive: true }), []);
  assert.equal(
    listStartWarnings({ ...start, params: { autoApprove: true }, workflow: JOB_WORKFLOW }),
    [],
  );
});

test.run();

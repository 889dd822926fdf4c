import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildJobParams } from '../../cli/input/buildJobParams.ts';
import { mergeLayers } from '../../src/workflows/overlay/mergeLayers.ts';
import { openOverlay } from '../../src/workflows/overlay/openOverlay.ts';
import {
  findAutoApproveErrors,
  findLoosenedCapErrors,
  findMissingParams,
  findParamErrors,
  findParamTypeErrors,
} from '../../src/jobs/create/jobChecks.ts';
import { listStartWarnings } from '../../src/jobs/create/createJob.ts';
import { listParamTypeErrors, expandEveryPhase } from '../../src/contract/schema/job/jobParams.ts';
import type { WorkflowTable } from '../../src/contract/schema/workflow/workflow.ts';
import { checkJobParams } from '../../src/executors/tools/job/checkJobParams.ts';
import { layerWith } from '../support/intelligenceFolder.ts';

const test = suite('params of a job');

test('each param that svc reads has a type, an error points to the value; other keys are free (JOB-1)', () => {
  const wrong = {
    repoSlug: 1,
    description: 5,
    reviewers: ['ana', 2, ''],
    language: [],
    gitProvider: {},
    jiraTicketId: 7,
    lane: true,
    epicAllowed: 'yes',
    parentJobId: 1,
    investigationId: 2,
    interactive: 'no',
    autoApprove: [3],
    serviceName: null,
  };
  assert.equal(
    findParamTypeErrors(wrong).map(({ pointer }) => pointer),
    [
      '/params/repoSlug',
      '/params/description',
      '/params/reviewers/1',
      '/params/reviewers/2',
      '/params/language',
      '/params/gitProvider',
      '/params/jiraTicketId',
      '/params/lane',
      '/params/epicAllowed',
      '/params/parentJobId',
      '/params/investigationId',
      '/params/interactive',
      '/params/autoApprove/0',
      '/params/serviceName',
    ],
  );
  assert.equal(listParamTypeErrors({ reviewers: 'ana' }), [
    { pointer: '/reviewers', message: 'must be a list of names, for example ["ana", "ben"]' },
  ]);
  const right = {
    repoSlug: 'shop',
    description: '',
    reviewers: [],
    epicAllowed: false,
    interactive: true,
    autoApprove: 'all',
    retries: 3,
    nested: { any: [1] },
  };
  assert.equal(findParamTypeErrors(right), []);
});

test('set_job_params refuses a wrong type with a message, and takes a right one (JOB-1 TOOL-1)', () => {
  assert.throws(
    () => checkJobParams('set_job_params', {}, { reviewers: 'bob', description: 5 }),
    /set_job_params: nothing was done\. reviewers must be a list of names.*; description must be text\./,
  );
  checkJobParams('set_job_params', {}, { reviewers: ['bob'], description: 'x', own: 1 });
});

const phase = (name: string, interactive_checkpoint: boolean) => ({
  name,
  agent: 'agents/a.md',
  status: 's',
  interactive_checkpoint,
  model: null,
  provider: null,
  obligations: null,
});
const TABLE: WorkflowTable = {
  initial_phase: 'planning',
  initial_status: 's',
  phases: [phase('planning', true), phase('coding', false), phase('release', true)],
  coordinator: null,
};

test('a phase that is approved in advance has to be one of the workflow (JOB-5)', () => {
  const of = (autoApprove: unknown) => findAutoApproveErrors({ autoApprove }, TABLE);
  assert.equal(of(['coding', 'planing']), [
    {
      pointer: '/params/autoApprove/1',
      message: 'names planing, which is not a phase of the workflow. Did you mean planning?',
    },
  ]);
  assert.is(of('nope')[0]?.pointer, '/params/autoApprove');
  assert.equal(of('planning'), []);
  assert.equal(of(['all']), []);
  assert.equal(of('all'), []);
  assert.equal(of(true), []);
  assert.equal(of(undefined), []);
  assert.equal(expandEveryPhase({ autoApprove: ['all'] }), { autoApprove: true });
  assert.equal(expandEveryPhase({ autoApprove: ['coding'] }), { autoApprove: ['coding'] });
});

test('a job that no one follows says at its start where it will wait, and how to approve in advance (JOB-16)', () => {
  const of = (params: Record<string, unknown>, interactive = false) =>
    listStartWarnings({
      workflow: TABLE,
      workflowPath: 'workflows/own.md',
      phase: 'planning',
      params,
      interactive,
    });
  assert.equal(of({}), [
    'The job is not interactive, but it will wait for an approval at the end of planning, release. To approve in advance: --approve planning --approve release or --approve all (params.autoApprove).',
  ]);
  assert.match(of({ autoApprove: ['planning'] })[0] ?? '', 'at the end of release.');
  assert.equal(of({ autoApprove: true }), []);
  assert.equal(of({}, true), []);
});

test('only the default job workflow needs a repository and a description without saying so (INT-6)', () => {
  const workflow =
    '---\ninitial_phase: do\nphases:\n  - { name: do, agent: agents/a.md, status: doing }\n---\n';
  const files = {
    'workflows/job.md': workflow,
    'workflows/own.md': workflow,
    'agents/a.md': 'An agent.',
  };
  const overlay = openOverlay(mergeLayers([layerWith('base', files, '/opt/base')]));
  assert.equal(findMissingParams(overlay, 'workflows/own.md', {}), []);
  assert.equal(
    findMissingParams(overlay, 'workflows/job.md', {}).map(({ pointer }) => pointer),
    ['/params/repoSlug', '/params/description'],
  );
});

test('svc job: --approve all is every phase, and --reviewers without a name is refused (CLI-1)', () => {
  const flags = { repo: 'shop', description: 'd', reviewers: 'ana' };
  assert.is(buildJobParams({ ...flags, approve: ['planning', 'all'] }).autoApprove, true);
  assert.equal(buildJobParams({ ...flags, approve: ['planning'] }).autoApprove, ['planning']);
  assert.throws(() => buildJobParams({ repo: 'shop', description: 'x' }), /--reviewers is missing/);
  assert.equal(
    buildJobParams({ workflow: 'workflows/greet.md', description: 'x' }),
    { description: 'x' },
    'what another workflow needs, the runner knows',
  );
  assert.throws(() => buildJobParams({ ...flags, reviewers: ' , ' }), /--reviewers is empty/);
});

test('a cap in params.budget that would loosen one above it is refused by its place, with the tightest (CFG-1)', () => {
  const errors = findLoosenedCapErrors({ job: { usd: 5 } }, [
    { job: { usd: 4 } },
    { job: { usd: 2 } },
  ]);
  assert.equal(errors, [
    {
      pointer: '/params/budget/job/usd',
      message: 'is 5, but is capped at 2 already; params can only tighten a cap',
    },
  ]);
});

test('a cap in params.budget that tightens is taken', () => {
  assert.equal(findLoosenedCapErrors({ job: { usd: 1 } }, [{ job: { usd: 4 } }, undefined]), []);
});

test('params cannot cap what belongs to all jobs', () => {
  assert.equal(findParamErrors({ budget: { day: { usd: 1 } } }), [
    {
      pointer: '/params/budget/day',
      message: 'has no cap here; it may be one of session, phase, job, campaign',
    },
  ]);
});

test.run();

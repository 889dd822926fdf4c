import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { suggestFromEarlierJobs } from '../../ui/jobs/newJob/suggestFromEarlierJobs.ts';
import { parseFormDraft, serializeFormDraft } from '../../ui/jobs/newJob/formDraft.ts';
import {
  refillForm,
  listAdvanceApprovals,
  buildNewJobBody,
  listWorkflowFields,
  isDemanded,
  appendName,
} from '../../ui/jobs/newJob/newJobRequest.ts';
import {
  shouldAskToGraduate,
  readCoachMode,
  buildGraduationPatch,
} from '../../ui/jobs/newJob/coachMode.ts';
import { sumPhaseTokens } from '../../ui/jobs/page/TokensChart.tsx';
import { aJob } from '../support/http/aJob.ts';
import { summary } from '../support/summaries.ts';

const test = suite('dashboard: dispatch');

const FIELDS = listWorkflowFields({
  createParams: {
    required: ['repo', 'description'],
    optional: ['reviewers', 'repoSlug', 'maxFiles', 'serviceName'],
  },
});

test('the form is made of what the workflow asks for: required fields first, each param once (UI-1)', () => {
  assert.equal(
    FIELDS.map(({ param, label, kind, required }) => [param, label, kind, required]),
    [
      ['repoSlug', 'Repository', 'repo', true],
      ['description', 'Description', 'long', true],
      ['reviewers', 'Reviewers', 'list', false],
      ['maxFiles', 'Max files', 'text', false],
      ['serviceName', 'Service name', 'text', false],
    ],
  );
});

test('texts become params: lists are lists, numbers numbers, a description stays a text, and nothing is sent for an empty field', () => {
  const texts = {
    repoSlug: 'shop',
    description: '42',
    reviewers: ' ana, ben ,',
    maxFiles: '3',
    serviceName: ' ',
  };
  assert.equal(buildNewJobBody('workflows/job.md', FIELDS, texts, {}), {
    type: 'job',
    workflowPath: 'workflows/job.md',
    params: { repoSlug: 'shop', description: '42', reviewers: ['ana', 'ben'], maxFiles: 3 },
  });
  assert.equal(buildNewJobBody('w', FIELDS, { serviceName: '"quoted"' }, {}).params, {
    serviceName: '"quoted"',
  });
});

test('a job is dispatched again with its params, without those that the runner set', () => {
  const params = {
    repoSlug: 'shop',
    reviewers: ['ana', 'ben'],
    maxFiles: 3,
    autoApprove: ['planning'],
    repoCheckoutDir: 'shop',
    repoCheckoutAbsDir: '/x',
    parentJobId: 'p',
    investigation: 7,
    // A switch of the form, not one of its fields.
    interactive: false,
  };
  const again = refillForm({ params }, FIELDS);
  assert.equal(again, {
    texts: { repoSlug: 'shop', reviewers: 'ana, ben', maxFiles: '3' },
    kept: { investigation: 7 },
  });
  assert.equal(buildNewJobBody('w', FIELDS, { ...again.texts, maxFiles: '5' }, again.kept).params, {
    repoSlug: 'shop',
    reviewers: ['ana', 'ben'],
    maxFiles: 5,
    investigation: 7,
  });
});

test('checkpoints that an earlier job had approved in advance are ticked again, however they were named', () => {
  const checkpoints = ['planning', 'merging'];
  const listApprovals = (autoApprove: unknown) =>
    listAdvanceApprovals({ autoApprove }, checkpoints);
  assert.equal(listApprovals(undefined), []);
  assert.equal(listApprovals('planning'), ['planning']);
  assert.equal(listApprovals(['merging', 'gone']), ['merging']);
  assert.equal(listApprovals(true), checkpoints);
  assert.equal(listApprovals(['all']), checkpoints);
});

test('a draft of the form is read as it was written; anything else is no draft', () => {
  const form = {
    path: 'workflows/job.md',
    texts: { description: 'Half a sen' },
    interactive: false,
    approved: ['planning'],
  };
  assert.equal(parseFormDraft(serializeFormDraft(form)), form);
  for (const text of ['', '{', '[]', 'null', '{"path":1}', '{"path":"w","texts":{"a":1}}'])
    assert.is(parseFormDraft(text), null, text);
});

test('repositories and reviewers of earlier jobs are suggested, the latest first; without them the form works', async () => {
  const jobs = [
    summary('b', { repoSlug: 'shop' }),
    summary('part', { repoSlug: 'part', parentJobId: 'b' }),
    summary('a', { repoSlug: 'shop' }),
  ];
  const reviewers: Record<string, unknown> = { b: ['ana', 'ben'], a: ['ben', 'carl'] };
  const client = {
    jobs: async () => ({ jobs, total: 3 }),
    job: async (id: string) => aJob({ id, params: { reviewers: reviewers[id] } }),
  };
  assert.equal(await suggestFromEarlierJobs(client), {
    repos: ['shop', 'part'],
    reviewers: ['ana', 'ben', 'carl'],
  });
  const down = () => Promise.reject(new Error('down'));
  assert.equal(await suggestFromEarlierJobs({ jobs: down, job: down }), {
    repos: [],
    reviewers: [],
  });
  assert.is(appendName(' ana,', 'ben'), 'ana, ben');
});

test('a team that has run enough jobs is asked once whether its learning phase is over (JOB-15)', () => {
  const asks = (coachMode: object) => shouldAskToGraduate(readCoachMode({ config: { coachMode } }));
  assert.is(asks({ enabled: true, totalRuns: 4, graduateAfterRuns: 5 }), false);
  assert.is(asks({ enabled: true, totalRuns: 5, graduateAfterRuns: 5 }), true);
  assert.is(asks({ enabled: false, totalRuns: 9, graduateAfterRuns: 5 }), false);
  assert.is(
    asks({
      enabled: true,
      totalRuns: 9,
      graduateAfterRuns: 5,
      graduatedAt: '2026-11-21T00:00:00.000Z',
    }),
    false,
  );
  const graduatedAt = '1970-01-01T00:00:01.000Z';
  assert.equal(buildGraduationPatch('keep', 1_000), { coachMode: { graduatedAt } });
  assert.equal(buildGraduationPatch('end', 1_000), { coachMode: { enabled: false, graduatedAt } });
});

test('tokens of a phase are summed over its visits; cached tokens are part of the input', () => {
  const usage = (
    phase: string,
    inputTokens: number,
    cachedInputTokens: number,
    outputTokens: number,
  ) => ({
    phase,
    visit: 1,
    session: 1,
    usage: { inputTokens, cachedInputTokens, outputTokens },
  });
  assert.equal(
    sumPhaseTokens([usage('plan', 10, 4, 2), usage('code', 5, 9, 1), usage('plan', 1, 0, 1)]),
    [
      { phase: 'plan', cached: 4, input: 7, output: 3, total: 14 },
      { phase: 'code', cached: 5, input: 0, output: 1, total: 6 },
    ],
  );
});

test('repository and description may be left to a ticket, nothing else may', () => {
  const fields = listWorkflowFields({
    createParams: { required: ['repo', 'description', 'language'], optional: ['jiraTicketId'] },
  });
  const demanded = (texts: Record<string, string>) =>
    fields.filter((field) => isDemanded(field, texts)).map(({ param }) => param);
  assert.equal(demanded({}), ['repoSlug', 'description', 'language']);
  assert.equal(demanded({ jiraTicketId: ' ' }), ['repoSlug', 'description', 'language']);
  assert.equal(demanded({ jiraTicketId: 'SHOP-1' }), ['language']);
});

test.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { againOf, bodyOf, fieldsOf } from '../../ui/jobs/dispatchForm.ts';
import { tokensByPhase } from '../../ui/jobs/tokens.ts';

const test = suite('dashboard: dispatch');

const FIELDS = fieldsOf({
  createParams: { required: ['repo', 'description'], optional: ['reviewers', 'repoSlug', 'maxFiles', 'serviceName'] },
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
  const texts = { repoSlug: 'shop', description: '42', reviewers: ' ana, ben ,', maxFiles: '3', serviceName: ' ' };
  assert.equal(bodyOf('workflows/job.md', FIELDS, texts, {}), {
    type: 'job',
    workflowPath: 'workflows/job.md',
    params: { repoSlug: 'shop', description: '42', reviewers: ['ana', 'ben'], maxFiles: 3 },
  });
  assert.equal(bodyOf('w', FIELDS, { serviceName: '"quoted"' }, {}).params, { serviceName: '"quoted"' });
});

test('a job is dispatched again as it was, without what the runner gave it', () => {
  const params = {
    repoSlug: 'shop',
    reviewers: ['ana', 'ben'],
    maxFiles: 3,
    autoApprove: ['planning'],
    repoCheckoutDir: 'shop',
    repoCheckoutAbsDir: '/x',
    parentJobId: 'p',
  };
  const again = againOf({ params }, FIELDS);
  assert.equal(again, {
    texts: { repoSlug: 'shop', reviewers: 'ana, ben', maxFiles: '3' },
    kept: { autoApprove: ['planning'] },
  });
  assert.equal(bodyOf('w', FIELDS, { ...again.texts, maxFiles: '5' }, again.kept).params, {
    repoSlug: 'shop',
    reviewers: ['ana', 'ben'],
    maxFiles: 5,
    autoApprove: ['planning'],
  });
});

test('tokens of a phase are summed over its visits; what came from the cache is a part of what was read', () => {
  const usage = (phase: string, inputTokens: number, cachedInputTokens: number, outputTokens: number) => ({
    ...{ phase, visit: 1, session: 1 },
    usage: { inputTokens, cachedInputTokens, outputTokens },
  });
  assert.equal(tokensByPhase([usage('plan', 10, 4, 2), usage('code', 5, 9, 1), usage('plan', 1, 0, 1)]), [
    { phase: 'plan', cached: 4, input: 7, output: 3, total: 14 },
    { phase: 'code', cached: 5, input: 0, output: 1, total: 6 },
  ]);
});

test.run();

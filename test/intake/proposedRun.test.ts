import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseProposedRun, parseStoredRun } from '../../src/intake/proposedRun.ts';

const test = suite('a run that the model proposes');
const WORKFLOWS = ['workflows/job.md'];
const of = (block: unknown) =>
  parseProposedRun(block, {
    workflows: WORKFLOWS,
    broken: ['workflows/broken.md'],
    isRepo: (slug) => slug === 'acme/shop',
  });

test('what the form asks for is filled in', () => {
  const { params } = of({ repoSlug: 'acme/shop', description: 'Fix it', reviewers: ['ana'] });
  assert.equal(params, { repoSlug: 'acme/shop', description: 'Fix it', reviewers: ['ana'] });
});

test('params may be in an object of their own', () => {
  assert.equal(of({ params: { description: 'Fix it' } }).params, { description: 'Fix it' });
});

test('a workflow of the list is taken', () => {
  assert.is(of({ workflowPath: 'workflows/job.md' }).workflowPath, 'workflows/job.md');
});

test('a workflow that is not in the list is not', () => {
  assert.is(of({ workflowPath: 'workflows/evil.md' }).workflowPath, null);
});

for (const name of [
  'interactive',
  'autoApprove',
  'budget',
  'guardrails',
  'invariants',
  'provider',
  'executor',
  'model',
  'investigationId',
  'trigger',
  '__proto__x',
])
  test(`${name} is never the model's to set`, () => {
    assert.equal(of({ params: { [name]: true, description: 'Fix it' } }).params, {
      description: 'Fix it',
    });
  });

for (const [block, name, reason, value] of [
  [{ autoApprove: true }, 'autoApprove', 'only-a-person', null],
  [{ params: { lane: 'fast' } }, 'lane', 'only-a-person', null],
  [{ colour: 'red' }, 'colour', 'not-a-field', null],
  [{ workflowPath: 'x.md' }, 'workflowPath', 'unknown-workflow', 'x.md'],
  [
    { workflowPath: 'workflows/broken.md' },
    'workflowPath',
    'broken-workflow',
    'workflows/broken.md',
  ],
  [{ workflowPath: 5 }, 'workflowPath', 'unusable-value', null],
  [{ repoSlug: 'evil/shop' }, 'repoSlug', 'unknown-repository', 'evil/shop'],
  [{ reviewers: 'ana' }, 'reviewers', 'unusable-value', null],
  [{ description: '' }, 'description', 'unusable-value', null],
] as const)
  test(`what was taken out is named with its reason: ${name}, ${reason}`, () => {
    assert.equal(of(block).removed, [{ name, reason, value }]);
  });

test('a value of null is none, and nothing was taken out', () => {
  assert.equal(of({ workflowPath: null, repoSlug: null }), {
    workflowPath: null,
    params: {},
    removed: [],
  });
});

test('a run that an earlier version has stored with names alone gets their reasons', () => {
  const removed = ['autoApprove', 'colour', 'repoSlug', 'reviewers', 'workflowPath'];
  const run = { workflowPath: null, params: {}, removed, repaired: false, unreadable: false };
  assert.equal(
    parseStoredRun(JSON.stringify(run)).removed.map(({ reason }) => reason),
    ['only-a-person', 'not-a-field', 'unknown-repository', 'unusable-value', 'unknown-workflow'],
  );
});

test('a repository that is not known is taken out', () => {
  assert.equal(of({ repoSlug: 'evil/shop' }).params, {});
});

test('a value of another kind is taken out', () => {
  assert.equal(of({ description: { a: 1 } }).params, {});
});

test('what is no object proposes nothing', () => {
  assert.equal(of('run it').params, {});
});

test.run();

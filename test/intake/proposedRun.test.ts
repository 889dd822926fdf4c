import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { proposedRun } from '../../src/intake/proposedRun.ts';

const test = suite('a run that the model proposes');
const WORKFLOWS = ['workflows/job.md'];
const of = (block: unknown) => proposedRun(block, WORKFLOWS, (slug) => slug === 'acme/shop');

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

test('what was taken out is named', () => {
  assert.equal(of({ autoApprove: true, workflowPath: 'x.md' }).removed, [
    'autoApprove',
    'workflowPath',
  ]);
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

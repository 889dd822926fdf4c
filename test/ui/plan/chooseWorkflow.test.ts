import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { chooseWorkflow } from '../../../ui/plan/run/OpenRunForm.tsx';

const test = suite('the workflow of a run that a chat leads to');

const USABLE = [
  { id: 'bug', workflowPath: 'workflows/bug.md' },
  { id: 'job', workflowPath: 'workflows/job.md' },
];
const choose = (
  typed: string,
  workflowPath: string | null,
  removed: { name: string; reason: 'unknown-workflow' | 'broken-workflow'; value: string }[] = [],
) => chooseWorkflow({ typed, run: { workflowPath, removed }, usable: USABLE });

test('that of the model is taken (PLN-5)', () => {
  assert.equal(choose('', 'workflows/bug.md'), {
    path: 'workflows/bug.md',
    isModels: true,
    refused: null,
  });
});

test('that of the person counts more', () => {
  assert.equal(choose('workflows/job.md', 'workflows/bug.md'), {
    path: 'workflows/job.md',
    isModels: false,
    refused: null,
  });
});

test('where no one has chosen, it is the default job', () => {
  assert.is(choose('', null).path, 'workflows/job.md');
});

test('a choice of the model that was taken out is replaced by no other (PLN-5)', () => {
  const removed = [
    { name: 'workflowPath', reason: 'unknown-workflow' as const, value: 'workflows/w.md' },
  ];
  assert.equal(choose('', null, removed), {
    path: '',
    isModels: false,
    refused:
      'The model chose the workflow workflows/w.md: no such workflow can be run here, so it was left out. Choose the workflow that should run.',
  });
});

test('a choice of the model that is gone since is replaced by no other', () => {
  assert.equal(choose('', 'workflows/gone.md').path, '');
});

test('a choice of the person that is gone since is replaced by no other', () => {
  assert.equal(choose('workflows/gone.md', 'workflows/bug.md').path, '');
});

test('a person can choose after what was taken out', () => {
  const removed = [{ name: 'workflowPath', reason: 'broken-workflow' as const, value: 'x.md' }];
  assert.is(choose('workflows/bug.md', null, removed).refused, null);
});

test.run();

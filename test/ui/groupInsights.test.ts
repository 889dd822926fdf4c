import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ListedInsight } from '../../src/contract/schema/workflow/insight.ts';
import { groupInsights } from '../../ui/insights/groupInsights.ts';

const test = suite('dashboard: repeated insights');

const insight = (id: string, text: string, category = 'testing'): ListedInsight => ({
  id,
  category,
  text,
  phase: 'coding',
  at: '2026-11-30T00:00:00.000Z',
  jobId: `job-${id}`,
  repo: 'shop',
  workflow: 'workflows/job.md',
});

test('the same text in the same category is one group, whatever its spaces and case (INT-11)', () => {
  const groups = groupInsights([
    insight('c', 'Reset the database'),
    insight('b', 'Something else'),
    insight('a', ' reset  the\ndatabase '),
    insight('d', 'Reset the database', 'pitfall'),
  ]);
  assert.equal(
    groups.map(({ newest, all }) => [newest.id, all.map(({ id }) => id)]),
    [
      ['c', ['c', 'a']],
      ['b', ['b']],
      ['d', ['d']],
    ],
  );
});

test('none is no group', () => {
  assert.equal(groupInsights([]), []);
});

test.run();

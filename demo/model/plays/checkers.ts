import type { Play } from '../script.ts';
import { switchToBase, runTests, runInShell, callSvcTool, fetchWorkItems } from './steps.ts';

export const playTester: Play = function* () {
  yield* switchToBase();
  const { passed, failed } = yield* runTests();
  yield callSvcTool('add_insight', {
    category: 'testing',
    text: passed
      ? 'The tests run with `node --test` and pass on main.'
      : `Failing on main: ${failed.join('; ')}`,
  });
  return passed ? 'All tests pass on main.' : `Failing on main: ${failed.join('; ')}`;
};

/**
 * Evaluation: closes the work item when the tests pass on the base branch, else sends it back to
 * coding.
 */
export const playEvaluator: Play = function* () {
  const items = yield* fetchWorkItems();
  const current = items.find(({ status }) => status === 'in-progress');
  if (current) {
    if (!(yield* runTests()).passed) {
      yield callSvcTool('goto_phase', { phase: 'coding', reason: 'tests fail on main' });
      return `${current.id} goes back to coding.`;
    }
    yield callSvcTool('update_work_item', { id: current.id, status: 'complete' });
  }
  if (items.some(({ status }) => status === 'pending'))
    yield callSvcTool('goto_phase', { phase: 'coding', reason: 'the next work item' });
  return current ? `${current.id} is complete.` : 'Nothing was in progress.';
};

export const playReporter: Play = function* () {
  const items = yield* fetchWorkItems();
  const { text: commit } = yield runInShell('git rev-parse --short origin/main');
  const lines = items.map(
    ({ id, title, status, prIds }) =>
      `- **${id}** ${title}: ${status}${prIds.length > 0 ? ` (${prIds.join(', ')})` : ''}`,
  );
  yield callSvcTool('post_artifact', {
    kind: 'report-md',
    title: 'Report',
    content: `# Report

${lines.join('\n')}

The base branch is at ${/\b[0-9a-f]{7,40}\b/.exec(commit)?.[0] ?? 'an unknown commit'}.
`,
  });
  return 'The report is written.';
};

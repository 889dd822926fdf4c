import type { Play } from '../script.ts';
import { onBase, runTests, svc } from './steps.ts';

/** Planning: runs the tests, makes a work item of what fails, and shows a plan for approval. */
export const planner: Play = function* () {
  yield* onBase();
  const { passed, failed } = yield* runTests();
  if (passed) {
    yield svc('escalate', { message: 'All tests pass: there is nothing to fix.' });
    return 'There is nothing to fix.';
  }
  yield svc('set_work_items', {
    items: [{ id: 'slugify', title: 'Make slugify keep accented characters' }],
  });
  yield svc('post_artifact', {
    kind: 'plan-md',
    title: 'Plan',
    content: `# Plan

The tests show what is wrong:

${failed.map((name) => `- ${name}`).join('\n')}

One work item:

1. **slugify** (src/slugify.js): strip the accents before everything that is not a-z or a digit becomes a dash.

Done when the tests of the repository pass on the base branch.
`,
  });
  return `Failing: ${failed.join('; ')}. The plan waits for approval.`;
};

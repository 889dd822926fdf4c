import type { Play } from '../script.ts';
import { onBase, runTests, svc } from './steps.ts';

/** Planning: runs the tests, makes a work item of what fails, and shows a plan for approval. */
export const planner: Play = function* () {
  yield* onBase();
  const { passed, failed } = yield* runTests();
  if (passed) {
    yield svc('escalate', { message: 'All tests pass: there is nothing to mend.' });
    return 'There is nothing to mend.';
  }
  yield svc('set_work_items', {
    items: [{ id: 'slugify', title: 'Make slugify keep letters with accents' }],
  });
  yield svc('post_artifact', {
    kind: 'plan-md',
    title: 'Plan',
    content: `# Plan

The tests show what is wrong:

${failed.map((name) => `- ${name}`).join('\n')}

One work item:

1. **slugify** (src/slugify.js): take the accents off letters before everything that is not a letter or a digit becomes a dash.

Done when the tests of the repository pass on the base branch.
`,
  });
  return `Failing: ${failed.join('; ')}. The plan waits for approval.`;
};

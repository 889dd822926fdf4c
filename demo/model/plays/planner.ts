import type { Play } from '../script.ts';
import { switchToBase, runTests, callSvcTool } from './steps.ts';

/** Planning: runs the tests, makes a work item of what fails, and shows a plan for approval. */
export const playPlanner: Play = function* () {
  yield* switchToBase();
  const { passed, failed } = yield* runTests();
  if (passed) {
    yield callSvcTool('escalate', { message: 'All tests pass: there is nothing to fix.' });
    return 'There is nothing to fix.';
  }
  yield callSvcTool('set_work_items', {
    items: [{ id: 'slugify', title: 'Make slugify keep accented characters' }],
  });
  yield callSvcTool('post_artifact', {
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

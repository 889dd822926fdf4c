// Planning: runs the tests, makes a work item of what fails, and shows a plan for approval.
import { onBase, runTests, tool } from './svc.mjs';

onBase();
const { passed, failed } = runTests();
if (passed) {
  tool('escalate', { message: 'All tests pass: there is nothing to fix.' });
  process.exit(0);
}

console.log(
  `${failed.length} ${failed.length === 1 ? 'test fails' : 'tests fail'}: ${failed.join('; ')}`,
);
tool('set_work_items', {
  items: [{ id: 'slugify', title: 'Make slugify keep accented characters' }],
});
tool('post_artifact', {
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

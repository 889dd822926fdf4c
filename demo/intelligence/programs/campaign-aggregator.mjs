// Aggregating: runs the tests of the whole and reports how each sub-run ended.
import { onBase, runTests, tool } from './svc.mjs';

const { subRuns, contractDrift } = tool('sub_run_status');
onBase();
const { passed, failed } = runTests();
tool('post_artifact', {
  kind: 'report-md',
  title: 'Report',
  content: `# Report

${subRuns.map(({ name, status, attempt, reason }) => `- **${name}**: ${status}${attempt > 1 ? ` at attempt ${attempt}` : ''}${reason ? ` (${reason})` : ''}`).join('\n')}

${passed ? 'All tests pass on the whole.' : `On the whole these tests fail: ${failed.join('; ')}.`}

Contract drift: ${contractDrift.length === 0 ? 'none' : contractDrift.map(({ subRun, text }) => `${subRun}: ${text}`).join('; ')}
`,
});

// Reporting: writes down what was done.
import { git, tool } from './svc.mjs';

const { items } = tool('get_work_items');
tool('post_artifact', {
  kind: 'report-md',
  title: 'Report',
  content: `# Report

${items.map(({ id, title, status, prIds }) => `- **${id}** ${title}: ${status}${prIds.length > 0 ? ` (${prIds.join(', ')})` : ''}`).join('\n')}

The base branch is at ${git('rev-parse', '--short', 'origin/main')}.
`,
});

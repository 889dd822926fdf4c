import { tool } from '../../session.mjs';

const { items } = await tool('get_work_items');
const lines = items.map(({ id, status, prIds }) => `- ${id}: ${status} (${prIds.join(', ')})`);
await tool('post_artifact', {
  kind: 'report-md',
  title: 'Report',
  content: `# Report\n\n${lines.join('\n')}\n`,
});

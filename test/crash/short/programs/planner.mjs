import { tool } from '../../session.mjs';

await tool('set_work_items', { items: [{ id: 'note', title: 'Add a note' }] });
await tool('post_artifact', {
  kind: 'plan-md',
  title: 'Plan',
  content: '# Plan\n\n1. **note**: add NOTE.md.\n',
});

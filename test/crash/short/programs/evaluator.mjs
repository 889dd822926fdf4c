import { tool } from '../../session.mjs';

await tool('update_work_item', { id: 'note', status: 'complete' });

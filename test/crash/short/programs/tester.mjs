import { tool } from '../../session.mjs';

await tool('add_insight', { category: 'testing', text: 'A note has no tests.' });

import { tool } from '../../session.mjs';

await tool('add_insight', { category: 'load', text: 'tested' });

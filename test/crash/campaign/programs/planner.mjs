import { tool } from '../../session.mjs';

await tool('register_sub_run', { name: 'a', description: 'The first.' });
await tool('register_sub_run', { name: 'b', description: 'After a.', dependsOn: ['a'] });
await tool('register_sub_run', { name: 'c', description: 'After b.', dependsOn: ['b'] });
await tool('finalize_sub_runs');

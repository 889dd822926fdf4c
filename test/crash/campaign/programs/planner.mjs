import { tool } from '../../session.mjs';

await tool('register_sub_run', {
  name: 'a',
  description: 'Fails at first.',
  params: { lane: 'fails' },
});
await tool('register_sub_run', {
  name: 'b',
  description: 'Waits.',
  dependsOn: ['a'],
  params: { lane: 'waits' },
});
await tool('register_sub_run', { name: 'c', description: 'After b.', dependsOn: ['b'] });
await tool('finalize_sub_runs');

import { mkdirSync, writeFileSync } from 'node:fs';
import { commit, git, jobId, kickoff, tool, visit } from '../../session.mjs';

const branch = `svc/${jobId}`;

await tool('add_insight', { category: 'load', text: `visit ${visit}` });
if (git('branch', '--list', branch) === '') git('switch', '--quiet', '-c', branch);
mkdirSync('notes', { recursive: true });
writeFileSync(`notes/${jobId}.md`, `Visit ${visit}.\n\n${kickoff}\n`);
commit(`Visit ${visit}`);
const pr = await tool('local_create_pr', { head: branch, title: `A note of ${jobId}` });
await tool('await_event', { prId: pr.prId });

import { writeFileSync } from 'node:fs';
import { commit, git, kickoff, tool, visit } from '../../session.mjs';

const BRANCH = 'svc/note';

if (visit === 1) {
  if (git('branch', '--list', BRANCH) === '') git('switch', '--quiet', '-c', BRANCH);
  writeFileSync('NOTE.md', 'A note.\nFor whom?\n');
  commit('Add a note');
  await tool('github_create_pr', { head: BRANCH, title: 'Add a note', body: 'Why' });
} else if (!kickoff.includes('Who reads it?')) {
  throw new Error(`the review is not in the kickoff:\n${kickoff}`);
}
await tool('await_event', {});

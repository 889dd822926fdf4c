import { writeFileSync } from 'node:fs';
import { commit, git, kickoff, tool } from '../../session.mjs';

const BRANCH = 'svc/note';

await tool('update_work_item', { id: 'note', status: 'in-progress' });
const answers = kickoff.includes('## What has come in');
if (git('branch', '--list', BRANCH) === '') git('switch', '--quiet', '-c', BRANCH);
writeFileSync('NOTE.md', answers ? 'A note for you.\n' : 'A note.\n');
commit(answers ? 'Say who the note is for' : 'Add a note');
const pr = await tool('local_create_pr', { head: BRANCH, title: 'Add a note' });
if (answers) {
  // Message and comment have come while the job was paused: one that is missing in the kickoff was
  // lost.
  for (const text of ['Keep it short.', 'Who is it for?']) {
    if (!kickoff.includes(text)) throw new Error(`"${text}" is not in the kickoff:\n${kickoff}`);
  }
  const { comments } = await tool('local_get_pr_comments', { number: pr.number });
  const { id } = comments.find(({ body }) => body === 'Who is it for?');
  await tool('local_reply_to_comment', {
    number: pr.number,
    commentId: id,
    body: 'For you; it is in the text now.',
  });
}
await tool('await_event', { prId: pr.prId });

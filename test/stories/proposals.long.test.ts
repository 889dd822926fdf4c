import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Story } from '../support/story.ts';

const test = suite<{ story: Story }>('stories: proposals');

const WORKFLOW = `initial_phase: proposing
phases:
  - { name: proposing, agent: agents/proposes.md, status: planning, interactive_checkpoint: true }
  - { name: working, agent: agents/works.md, status: coding }`;

/** Proposes another agent for the second phase, and then another change of the same line. */
const PROPOSES = `
const workflow = readFileSync('../_intelligence/workflows/story.md', 'utf8');
const propose = (agent) => tool('propose_change', {
  kind: 'workflow',
  description: 'The second phase is better done by ' + agent + '.',
  files: [{ path: 'workflows/story.md', text: workflow.replace('agents/works.md', 'agents/' + agent + '.md') }],
});
if (kickoff.includes('third job')) {
  tool('propose_change', { kind: 'memory', description: 'How to build.', files: [{ path: '.svc/memory/build.md', text: 'Run make.' }] });
} else tool('log', { message: kickoff.includes('second job') ? propose('other').id : propose('better').id, tag: 'proposed' });
tool('goto_phase', { phase: 'working' });
`;

test.before.each(async (context) => {
  context.story = new Story({
    workflow: WORKFLOW,
    programs: {
      proposes: PROPOSES,
      works: "tool('log', { message: 'the old program' });",
      better: "tool('log', { message: 'the better program' });",
      other: "tool('log', { message: 'another program' });",
    },
  });
  await context.story.runner.start();
});
test.after.each(({ story }) => story.end());

const parked = async (story: Story, description: string): Promise<string> => {
  const id = await story.job({ description });
  await story.until(id, ({ parked: rests }) => rests !== null);
  return id;
};

const readProposal = async ({ client }: Story, job: string) => {
  const [summary] = (await client.proposals({ job })).proposals;
  return client.proposal(summary?.id ?? '');
};

test('a job proposes a better workflow; approved and applied, its next phase uses it, and a second change of the same line is a conflict (INT-8, TOOL-3, HTTP-8)', async ({
  story,
}) => {
  const { client } = story;
  const [first, second] = [await parked(story, 'first job'), await parked(story, 'second job')];
  const [better, other] = [await readProposal(story, first), await readProposal(story, second)];
  const live = join(story.dir, 'tenant', 'workflows', 'story.md');

  assert.is(better.state, 'open');
  assert.equal(better.checks?.simulated[0]?.outcome, 'complete');
  assert.match(readFileSync(live, 'utf8'), 'agents/works.md');
  assert.match(
    readFileSync(join(better.folder ?? '', 'files', 'workflows', 'story.md'), 'utf8'),
    'agents/better.md',
  );

  await client.approveProposal(better.id, { hash: better.hash });
  assert.match(readFileSync(live, 'utf8'), 'agents/works.md');
  assert.is((await client.applyProposal(better.id)).state, 'applied');
  assert.match(readFileSync(live, 'utf8'), 'agents/better.md');

  await client.resume(first, { eventKey: 'approve' });
  await story.until(first, ({ ended }) => ended);
  assert.ok((await story.log(first)).some((line) => line.includes('the better program')));

  assert.is((await client.proposal(other.id)).files[0]?.conflicts.length, 1);
  await client.approveProposal(other.id, { hash: other.hash });
  const conflicted = await client.applyProposal(other.id);
  assert.is(conflicted.state, 'conflicted');
  assert.match(conflicted.problem ?? '', /^workflows\/story\.md has changed since it was proposed/);
  assert.match(readFileSync(live, 'utf8'), 'agents/better.md');
});

test('a proposal for a repository becomes a pull request, and nothing is pushed to its base branch (INT-8, INT-9)', async ({
  story,
}) => {
  const { client } = story;
  const job = await parked(story, 'third job');
  const proposal = await readProposal(story, job);
  const readMain = () => story.git('ls-remote', story.repository, 'refs/heads/main');
  const before = readMain();
  assert.equal([proposal.layer, proposal.repo], ['repo', 'repo']);

  await client.approveProposal(proposal.id, { hash: proposal.hash });
  const applied = await client.applyProposal(proposal.id);
  const [pr] = await client.pullRequests('repo');
  assert.equal([applied.state, applied.link], ['applied', pr?.url]);
  assert.equal([pr?.head, pr?.base], [`svc/proposal-${proposal.id}`, 'main']);
  assert.match(await client.pullRequestDiff('repo', pr?.number ?? 0), /\+Run make\./);
  assert.is(readMain(), before);
});

test.run();

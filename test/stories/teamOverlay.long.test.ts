import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ProposalClient } from '../support/cloud/teamProposals.ts';
import { defineDatabaseTests } from '../support/cloud/openTestDatabase.ts';
import { seedOverlay } from '../support/cloud/seedOverlay.ts';
import { pairHome, waitUntil, startTeamNode } from '../support/cloud/testTeam.ts';
import { PATIENCE_MS } from '../support/inTime.ts';
import { PRELUDE, Story } from '../support/story.ts';

const test = suite('story: the overlay of a team');
const dbTest = defineDatabaseTests(test);

const WORKFLOW = `---
initial_phase: proposing
phases:
  - { name: proposing, agent: agents/proposes.md, status: planning, interactive_checkpoint: true }
  - { name: working, agent: agents/works.md, status: coding }
---

A story.
`;
const toAgent = (program: string) =>
  `---\ndescription: ${program}\ncommand: [node, '{layer}/programs/${program}.mjs']\n---\n\nThe program ${program}.\n`;

/** Proposes an agent that runs another program, and a phase that uses it. */
const PROPOSES = `
const { workflow, agent } = ${JSON.stringify({
  workflow: WORKFLOW.replace('agents/works.md', 'agents/better.md'),
  agent: toAgent('better'),
})};
if (kickoff.includes('propose something')) tool('propose_change', {
  kind: 'workflow',
  description: 'The second phase is better done by another program.',
  files: [{ path: 'workflows/story.md', text: workflow }, { path: 'agents/better.md', text: agent }],
});
tool('goto_phase', { phase: 'working' });
`;

const OVERLAY = {
  'workflows/story.md': WORKFLOW,
  'agents/proposes.md': toAgent('proposes'),
  'agents/works.md': toAgent('works'),
  'programs/proposes.mjs': `${PRELUDE}${PROPOSES}`,
  'programs/works.mjs': `${PRELUDE}tool('log', { message: 'the old program' });`,
  'programs/better.mjs': `${PRELUDE}tool('log', { message: 'the better program' });`,
};

dbTest(
  "an agent's proposal on one runner, applied by a second person, is used by the next phase on another one, where it runs nothing before it is trusted (CLD-3, INT-3, INT-8)",
  async () => {
    const node = await startTeamNode();
    await seedOverlay(node.databaseUrl, 'acme', OVERLAY);
    const open = async (userId: string) => {
      const story = new Story({ workflow: WORKFLOW, programs: {}, config: { tenant: {} } });
      await story.runner.start();
      const homeId = JSON.parse(readFileSync(join(story.home, 'home.json'), 'utf8')).id;
      const { token } = (await pairHome(node, { userId, homeId, name: userId })).body;
      // A runner that runs already gets the overlay of its team when it is paired.
      await story.client.updateConfig({ cloud: { url: node.url, token } });
      await story.settled(
        async () => (await story.client.health()).cloud?.connection === 'connected',
      );
      return { story, token };
    };
    const ada = await open('ada');
    const ben = await open('ben');
    const readTrust = async ({ client }: Story) => {
      const entry = (await client.trust()).find(({ repo }) => repo === 'team-overlay');
      return { state: entry?.state, hash: entry?.hash ?? '', wants: entry?.wants ?? [] };
    };
    const trust = async (story: Story) => {
      const { hash } = await readTrust(story);
      await story.client.addTrust({ repo: 'team-overlay', hash });
    };
    const park = async (story: Story, description: string) => {
      const id = await story.job({ description });
      return story.until(id, ({ parked }) => parked?.kind === 'approval');
    };
    try {
      assert.is((await readTrust(ada.story)).state, 'untrusted');
      for (const { story } of [ada, ben]) await trust(story);
      const waiting = await park(ben.story, 'wait for the team');
      const proposing = await park(ada.story, 'propose something');

      const team = new ProposalClient(node, ada.token);
      const list = async () => (await team.ask('ben', 'GET', '/proposals?needs=me')).body;
      await waitUntil(async () => (await list()).length === 1, PATIENCE_MS);
      const [{ id }] = await list();
      assert.is((await team.approve('ben', id)).body.state, 'approved');
      assert.is((await team.apply('ada', id)).body.code, 'forbidden');
      assert.is((await team.apply('ben', id)).body.state, 'applied');
      const proposal = () => ada.story.client.proposal(id);
      await ada.story.settled(async () => (await proposal()).state === 'applied');

      const isTrustChanged = async () => (await readTrust(ben.story)).state === 'changed';
      await ben.story.settled(isTrustChanged);
      const { wants } = await readTrust(ben.story);
      assert.ok(wants.some(({ path, since }) => path === 'agents/better.md' && since === 'new'));

      const resume = ({ client }: Story, job: typeof waiting) =>
        client.resume(job.id, { eventKey: 'approve', shown: job.approval?.shown ?? '' });
      await resume(ben.story, waiting);
      const stopped = await ben.story.until(
        waiting.id,
        ({ parked, ended }) => ended || (parked !== null && parked.kind !== 'approval'),
      );
      assert.is(stopped.ended, false, JSON.stringify(stopped));
      await trust(ben.story);
      await ben.story.client.resume(waiting.id, { eventKey: 'manual-resume' });
      await ben.story.until(waiting.id, ({ ended }) => ended);
      const log = await ben.story.log(waiting.id);
      assert.ok(log.some((line) => line.includes('the better program')));
      assert.not(log.some((line) => line.includes('the old program')));
      await ada.story.client.cancel(proposing.id, {});
    } finally {
      for (const { story } of [ada, ben]) {
        await story.runner.kill();
        await story.end();
      }
      await node.stop();
    }
  },
);

test.run();

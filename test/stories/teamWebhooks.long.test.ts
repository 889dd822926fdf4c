import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { defineDatabaseTests } from '../support/cloud/openTestDatabase.ts';
import type { TestControlPlane } from '../support/cloud/startTestControlPlane.ts';
import { asUser, pairHome, waitUntil, startTeamNode } from '../support/cloud/testTeam.ts';
import { addWebhook, sendWebhook } from '../support/cloud/webhookTeam.ts';
import { issueEvent, rule } from '../support/forges/webhookStage.ts';
import { PATIENCE_MS } from '../support/inTime.ts';
import { Story, type StoryOptions } from '../support/story.ts';

const test = suite('story: webhooks of a team');
const dbTest = defineDatabaseTests(test);

const WORKFLOW = `
initial_phase: plan
initial_status: planning
phases:
  - { name: plan, agent: agents/plan.md, status: planning, interactive_checkpoint: true }
`;

const RULE = rule({
  id: 'triage',
  events: ['issue.opened'],
  labels: [],
  authors: ['ann'],
  workflow: 'workflows/story.md',
  params: { repoSlug: 'repo', description: '{{title}}', jiraTicketId: '{{ticket}}' },
});

const storyWith = (more: Partial<StoryOptions> = {}): Story =>
  new Story({
    workflow: WORKFLOW,
    programs: { plan: '' },
    config: {
      triggers: [RULE],
      plugins: {
        installed: {
          // No account is asked, and nothing of a network answers.
          github: {
            config: { token: 'ghp_none', baseUrl: 'http://127.0.0.1:9', selfIsPerson: true },
          },
        },
      },
    },
    ...more,
  });

/** Starts a runner and pairs it while it works. */
async function joinTeam(node: TestControlPlane, story: Story, name: string): Promise<void> {
  await story.runner.start();
  const homeId = JSON.parse(readFileSync(join(story.home, 'home.json'), 'utf8')).id;
  const { body } = await pairHome(node, { homeId, name });
  await story.client.updateConfig({ cloud: { url: node.url, token: body.token } });
  const isReady = async () => {
    const { cloud } = await story.client.health();
    return cloud?.connection === 'connected' && cloud.state.place === 'replicated';
  };
  await waitUntil(isReady, PATIENCE_MS);
}

const createdJobs = async (stories: readonly Story[]) =>
  Promise.all(stories.map(async ({ client }) => (await client.jobs({})).jobs));

dbTest('two runners with the same rule make one job of a webhook (CLD-4, EVT-3)', async () => {
  const node = await startTeamNode();
  const stories = [storyWith(), storyWith()];
  try {
    for (const [n, story] of stories.entries()) await joinTeam(node, story, `mac${n}`);
    const secret = await addWebhook(node, 'github');
    const at = new Date().toISOString();
    const opened = Buffer.from(JSON.stringify(issueEvent('opened', 'ann', { at, user: 'ann' })));
    const send = (body: Uint8Array) => sendWebhook(node, 'github', { secret, body });
    assert.is((await send(opened)).status, 202);
    const isTaken = async () => {
      const reply = await node.ask('/teams/acme/webhooks', { headers: asUser('ben') });
      return (await reply.json()).webhooks[0].runners.length === 0;
    };
    await waitUntil(isTaken, PATIENCE_MS);
    const jobs = await createdJobs(stories);
    assert.is(jobs.flat().length, 1);
    const [job] = jobs.flat();
    assert.match(job?.description ?? '', 'It is broken');

    // Another event of the same issue, and a copy, make no second one anywhere.
    const again = issueEvent('opened', 'ann', { at, user: 'ann', title: 'It is still broken' });
    assert.is((await send(Buffer.from(JSON.stringify(again)))).status, 202);
    assert.is(JSON.parse((await send(opened)).text).duplicate, true);
    await waitUntil(isTaken, PATIENCE_MS);
    assert.is((await createdJobs(stories)).flat().length, 1);
  } finally {
    for (const story of stories) await story.end();
    await node.stop();
  }
});

test.run();

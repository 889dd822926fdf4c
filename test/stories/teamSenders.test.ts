import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { postgresPrograms, defineDatabaseTests } from '../support/cloud/openTestDatabase.ts';
import { COMMENT_SENDERS, type CommentSender } from '../support/cloud/senderComments.ts';
import { SenderStage } from '../support/cloud/senderStage.ts';
import { PATIENCE_MS } from '../support/inTime.ts';
import { asUser, waitUntil } from '../support/cloud/testTeam.ts';
import { findSender } from '../support/cloud/webhookSenders.ts';
import { longLane } from '../support/longLane.ts';

const test = suite('story: what senders of a team send to a job that waits');
const dbTest = defineDatabaseTests(test);
const long = postgresPrograms.length > 0 ? longLane(test) : () => undefined;

/** One that svc knows, and one whose installed plugin says how it signs. */
const SOME = COMMENT_SENDERS.filter(({ plugin }) => ['github', 'slack'].includes(plugin));

const wakeEach = (senders: readonly CommentSender[]) => async () => {
  const stage = await SenderStage.open(senders);
  try {
    for (const sender of senders) {
      const { plugin } = sender;
      const secret = await stage.addWebhook(sender);
      const jobId = await stage.startWaiting(sender);
      const { status, text } = await stage.send(sender, secret);
      const { success = 202 } = findSender(plugin);
      assert.equal(
        [plugin, status, text],
        [plugin, success, '{"accepted":true,"duplicate":false}'],
      );
      const { status: end, visit } = await stage.ended(jobId);
      assert.equal([plugin, end, visit], [plugin, 'complete', 2]);
    }
  } finally {
    await stage.close();
  }
};

dbTest(
  'a comment that GitHub sends, or Slack for an installed plugin, wakes the job about its ticket (CLD-4, EVT-3)',
  wakeEach(SOME),
);

long(
  'GitHub, GitLab, Bitbucket, Jira, Linear, Slack, a sender like Stripe and Standard Webhooks wake a job (CLD-4, EVT-3)',
  wakeEach(COMMENT_SENDERS),
);

long(
  'a runner polls a forge every ten minutes while its webhooks come, and the others as before (EVT-3)',
  async () => {
    const senders = COMMENT_SENDERS.filter(({ plugin }) => ['github', 'gitlab'].includes(plugin));
    const [github] = senders;
    const stage = await SenderStage.open(senders);
    try {
      if (github === undefined) throw new Error('no GitHub');
      const countPolls = async (id: string): Promise<number> =>
        (await stage.story.client.forges()).find((forge) => forge.id === id)?.polls ?? 0;
      const awaitPolls = async (id: string, more: number): Promise<void> => {
        const before = await countPolls(id);
        await waitUntil(async () => (await countPolls(id)) >= before + more, PATIENCE_MS);
      };
      await awaitPolls('github', 2);
      await stage.send(github, await stage.addWebhook(github));
      const isTaken = async () => {
        const reply = await stage.node.ask('/teams/acme/webhooks', { headers: asUser('ben') });
        return (await reply.json()).webhooks[0].runners.length === 0;
      };
      await waitUntil(isTaken, PATIENCE_MS);
      const before = await countPolls('github');
      await awaitPolls('gitlab', 5);
      // One may have been under way.
      assert.ok((await countPolls('github')) <= before + 1);
    } finally {
      await stage.close();
    }
  },
);

test.run();

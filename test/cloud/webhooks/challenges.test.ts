import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openDatabase } from '../../../src/cloud/database/openDatabase.ts';
import { silentLog } from '../../../src/base/system/log/log.ts';
import { defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import type { TestControlPlane } from '../../support/cloud/startTestControlPlane.ts';
import { asUser, startTeamNode, waitUntil } from '../../support/cloud/testTeam.ts';
import {
  addWebhook,
  connectHooked,
  type HookedRunner,
  sendWebhook,
} from '../../support/cloud/webhookTeam.ts';
import { SLACK } from '../../support/forges/signedSenders.ts';
import {
  createSlackChallenge,
  enterRequestUrl,
  signAsSlack,
} from '../../support/forges/slackRequests.ts';

const test = suite('cloud: challenges of senders');
const dbTest = defineDatabaseTests(test);

let node: TestControlPlane;
let runner: HookedRunner;
let secret: string;

const challenge = createSlackChallenge('a-challenge');

async function postChallenge(signingSecret: string, place = 'acme/slack') {
  const reply = await node.ask(`/webhook/${place}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...signAsSlack(challenge, signingSecret, Date.now()),
    },
    body: challenge,
  });
  return { status: reply.status, headers: reply.headers, text: await reply.text() };
}

async function listWebhooks() {
  return (await node.ask('/teams/acme/webhooks', { headers: asUser('ben') })).json();
}

dbTest('a node whose team takes the webhooks of a Slack app', async () => {
  node = await startTeamNode();
  runner = await connectHooked(node, 'home1');
  secret = await addWebhook(node, 'slack');
});

dbTest(
  'a signed challenge gets its text and nothing else, as often as it comes (CLD-4)',
  async () => {
    for (const _ of ['once', 'again']) {
      const { status, headers, text } = await postChallenge(secret);
      assert.equal([status, text], [200, 'a-challenge']);
      assert.match(headers.get('content-type') ?? '', /^text\/plain\b/);
      assert.is(headers.get('x-content-type-options'), 'nosniff');
    }
  },
);

dbTest('a challenge is no delivery: it is not stored, and no runner hears of it', async () => {
  const { sql, close } = await openDatabase(node.databaseUrl, { log: silentLog, max: 1 });
  const [row] = await sql`select count(*)::int as n from webhook_deliveries`;
  await close();
  assert.is(row?.n, 0);
  await sendWebhook(node, 'slack', { secret });
  await waitUntil(() => runner.received.length > 0);
  assert.is(runner.received.length, 1);
});

dbTest('an unsigned challenge is not sent back, and its refusal shows nothing', async () => {
  const refusals = [
    await postChallenge('another secret'),
    await postChallenge(secret, 'acme/unheard-of'),
    await postChallenge(secret, 'nowhere/slack'),
    await postChallenge(secret, 'other/slack'),
  ].map(({ status, text }) => [status, text]);
  assert.is(refusals[0]?.[0], 401);
  assert.equal(new Set(refusals.map(([, text]) => text)).size, 1);
});

dbTest('the challenge is what an admin waits for who adds the webhook (CLI-1)', async () => {
  const before = (await listWebhooks()).webhooks[0].lastAt;
  await postChallenge(secret);
  const { lastAt } = (await listWebhooks()).webhooks[0];
  assert.ok(before < lastAt);
});

dbTest('the manifest that is offered to an admin names the challenge', async () => {
  const { offered } = await listWebhooks();
  const { manifest, accepted } = offered.find((one: { plugin: string }) => one.plugin === 'slack');
  assert.equal([manifest, accepted], [SLACK, true]);
});

dbTest(
  'a control plane that takes no webhooks of the app answers no challenge, and Slack refuses its address',
  async () => {
    const url = `${node.url}/webhook/acme/slack`;
    await enterRequestUrl(url, secret);
    await node.ask('/teams/acme/webhooks/slack', { method: 'DELETE', headers: asUser('adm') });
    const refusal = await enterRequestUrl(url, secret).catch((error: Error) => error);
    assert.instance(refusal, Error);
  },
);

dbTest('the node stops', async () => {
  runner.bare.socket.terminate();
  await node.stop();
});

test.run();

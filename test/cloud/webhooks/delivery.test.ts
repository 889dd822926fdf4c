import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hashDelivery } from '../../../src/providers/hooks/createSignedReader.ts';
import { defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import type { TestControlPlane } from '../../support/cloud/startTestControlPlane.ts';
import { asUser, waitUntil, startTeamNode } from '../../support/cloud/testTeam.ts';
import {
  addWebhook,
  connectHooked,
  HookedRunner,
  type Received,
  sendWebhook,
} from '../../support/cloud/webhookTeam.ts';

const test = suite('cloud: webhooks for runners');
const dbTest = defineDatabaseTests(test);

let node: TestControlPlane;
let second: TestControlPlane;
let secret: string;
let one: HookedRunner;
let two: HookedRunner;

const send = (id: string, at: TestControlPlane = node) => sendWebhook(at, 'github', { secret, id });
const listReceivedIds = (received: readonly Received[]): string[] =>
  received.map(({ headers }) => headers['x-github-delivery'] ?? '');

/** What the list says of the sender. */
async function listWebhooks() {
  const reply = await node.ask('/teams/acme/webhooks', { headers: asUser('ben') });
  return reply.json();
}

dbTest('two nodes with two runners for the tests of this file', async () => {
  node = await startTeamNode();
  second = await startTeamNode({ databaseUrl: node.databaseUrl });
  secret = await addWebhook(node, 'github');
  one = await connectHooked(node, 'one');
  two = await connectHooked(second, 'two');
});

dbTest(
  'each runner of the team gets each delivery, in order, at whichever node it is (EVT-3)',
  async () => {
    const ids = ['d1', 'd2', 'd3', 'd4', 'd5'];
    for (const [n, id] of ids.entries()) await send(id, n % 2 === 0 ? node : second);
    await waitUntil(() => [one, two].every(({ received }) => received.length === ids.length));
    assert.equal(listReceivedIds(one.received), ids);
    assert.equal(listReceivedIds(two.received), ids);
  },
);

dbTest('a runner that was away gets what came meanwhile, and only that', async () => {
  two.bare.socket.terminate();
  await send('away-1');
  await send('away-2');
  await waitUntil(() => listReceivedIds(one.received).includes('away-2'));
  two = await new HookedRunner(second, two).connect();
  await waitUntil(() => two.received.length === 2);
  assert.equal(listReceivedIds(two.received), ['away-1', 'away-2']);
});

dbTest('what a runner has not answered before it left is sent again', async () => {
  two.answer = () => null;
  await send('unanswered');
  await waitUntil(() => listReceivedIds(two.received).includes('unanswered'));
  two.bare.socket.terminate();
  two = await new HookedRunner(node, two).connect();
  await waitUntil(() => listReceivedIds(two.received).includes('unanswered'));
});

dbTest(
  'one that a runner wants later does not hold up the next one; one that it refuses is shown',
  async () => {
    const tries: string[] = [];
    one.answer = ({ headers }) => {
      const id = headers['x-github-delivery'] ?? '';
      tries.push(id);
      if (id === 'later' && !tries.includes('next'))
        return { outcome: 'later', reason: 'the provider does not answer' };
      return id === 'bad'
        ? { outcome: 'refused', reason: 'its secret differs' }
        : { outcome: 'taken' };
    };
    for (const id of ['later', 'bad', 'next']) await send(id);
    await waitUntil(() => tries.length === 4);
    assert.equal(tries, ['later', 'bad', 'next', 'later']);
    await waitUntil(async () => (await listWebhooks()).webhooks[0].runners[0]?.waiting === 0);
    const { webhooks } = await listWebhooks();
    assert.equal(webhooks[0].runners, [
      { runner: 'one', waiting: 0, refused: 1, reason: 'its secret differs' },
    ]);
  },
);

const createClaim = (bytes: Buffer, subject: string | null = null, rule = 'triage') => ({
  rule,
  pluginId: 'github',
  hash: hashDelivery(bytes),
  subject,
});

dbTest(
  'of two runners whose rules ask for a job, the first one gets the claim, again and again',
  async () => {
    const claim = createClaim(Buffer.from('first'));
    assert.is((await one.claim(claim))?.granted, true);
    assert.is((await two.claim(claim))?.granted, false);
    assert.is((await one.claim(claim))?.granted, true);
    assert.is((await two.claim({ ...claim, rule: 'another' }))?.granted, true);
  },
);

dbTest('both asking at the same time, on two nodes, one gets it', async () => {
  for (let n = 0; n < 10; n += 1) {
    const claim = createClaim(Buffer.from(`race ${n}`), `ABC-${n}`);
    const answers = await Promise.all([one.claim(claim), two.claim(claim)]);
    assert.equal(answers.map((answer) => answer?.granted).sort(), [false, true], `race ${n}`);
  }
});

dbTest(
  'a runner whose rule creates no job gives the claim back, and the next one is asked',
  async () => {
    const granted: (boolean | null | undefined)[] = [];
    const jobs: (string | undefined)[] = [];
    one.answer = () => null;
    two.answer = () => null;
    const { bytes } = await send('given-back');
    await waitUntil(() =>
      [one, two].every(({ received }) => listReceivedIds(received).includes('given-back')),
    );
    const claim = createClaim(bytes, 'acme/shop#1');
    granted.push((await one.claim(claim))?.granted, (await two.claim(claim))?.granted);
    const n = one.received.at(-1)?.n ?? 0;
    two.bare.send({ type: 'hookAck', n, outcome: 'taken' });
    one.bare.send({ type: 'hookAck', n, outcome: 'taken', reason: 'no executor' });
    await waitUntil(() => two.received.at(-1)?.rule === 'triage');
    granted.push((await two.claim(claim))?.granted);
    two.bare.send({ type: 'hookAck', n, rule: 'triage', outcome: 'taken', jobId: 'job-1' });
    jobs.push((await one.claim(claim))?.reason);
    assert.equal(granted, [true, false, true]);
    assert.match(jobs[0] ?? '', 'two');
  },
);

dbTest(
  'another delivery about the same subject gets no job while the first one is not over',
  async () => {
    const answer = await one.claim(createClaim(Buffer.from('later label'), 'acme/shop#1'));
    assert.equal(
      [answer?.granted, /two already works on acme\/shop#1/.test(answer?.reason ?? '')],
      [false, true],
    );
    assert.is(
      (await one.claim(createClaim(Buffer.from('later label'), 'acme/shop#2')))?.granted,
      true,
    );
  },
);

dbTest(
  'runners know whose webhooks their team takes: when they connect, and when that changes (EVT-3)',
  async () => {
    const { length } = one.senders;
    assert.equal(one.senders.at(-1), ['github']);
    await addWebhook(node, 'jira');
    await waitUntil(() => one.senders.length === length + 1);
    assert.equal(one.senders.at(-1), ['github', 'jira']);
    const path = '/teams/acme/webhooks/jira';
    await node.ask(path, { method: 'DELETE', headers: asUser('adm') });
    await waitUntil(() => one.senders.length === length + 2);
    assert.equal(one.senders.at(-1), ['github']);
  },
);

dbTest('the nodes stop', async () => {
  for (const { bare } of [one, two]) bare.socket.terminate();
  await Promise.all([node.stop(), second.stop()]);
});

test.run();

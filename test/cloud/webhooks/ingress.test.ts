import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MAX_DELIVERY_BYTES } from '../../../src/contract/routes/route.ts';
import { openDatabase } from '../../../src/cloud/database/openDatabase.ts';
import { silentLog } from '../../../src/base/system/log/log.ts';
import { defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import type { TestControlPlane } from '../../support/cloud/startTestControlPlane.ts';
import { asUser, waitUntil, startTeamNode } from '../../support/cloud/testTeam.ts';
import { SENDERS } from '../../support/cloud/webhookSenders.ts';
import {
  addWebhook,
  connectHooked,
  type HookedRunner,
  sendWebhook,
} from '../../support/cloud/webhookTeam.ts';

const test = suite('cloud: webhooks of senders');
const dbTest = defineDatabaseTests(test);

let node: TestControlPlane;
let runner: HookedRunner;
const secrets = new Map<string, string>();
const getSecret = (plugin: string): string => secrets.get(plugin) ?? '';

dbTest('a node for the tests of this file', async () => {
  node = await startTeamNode();
  runner = await connectHooked(node, 'home1');
  for (const { plugin } of SENDERS) secrets.set(plugin, await addWebhook(node, plugin));
});

for (const { plugin, header, success = 202 } of SENDERS) {
  dbTest(
    `${plugin}: a signed delivery is stored and reaches the runner as it came (CLD-4, EVT-3)`,
    async () => {
      const { status, text, bytes } = await sendWebhook(node, plugin, {
        secret: getSecret(plugin),
      });
      assert.equal([status, JSON.parse(text)], [success, { accepted: true, duplicate: false }]);
      await waitUntil(() => runner.received.some(({ body }) => body.equals(bytes)));
      const delivery = runner.received.find(({ body }) => body.equals(bytes));
      assert.equal([delivery?.pluginId, delivery?.headers[header] !== undefined], [plugin, true]);
    },
  );

  dbTest(
    `${plugin}: a signature that is wrong, missing, cut or of another encoding is refused (CLD-4)`,
    async () => {
      const secret = getSecret(plugin);
      const other = secret.startsWith('whsec_')
        ? `whsec_${Buffer.alloc(32, 9).toString('base64')}`
        : 'another secret of the same kind';
      const sendWith = async (change: (value: string) => string | null) =>
        (
          await sendWebhook(node, plugin, {
            secret,
            change: ({ [header]: value = '', ...rest }) => {
              const next = change(value);
              return next === null ? rest : { ...rest, [header]: next };
            },
          })
        ).status;
      assert.equal(
        [
          (await sendWebhook(node, plugin, { secret: other })).status,
          await sendWith(() => null),
          await sendWith((value) => value.slice(0, -2)),
          await sendWith((value) => Buffer.from(value).toString('base64')),
          await sendWith(() => ''),
        ],
        [401, 401, 401, 401, 401],
      );
    },
  );
}

dbTest('a body changed by one byte is refused, by whatever signs the body (CLD-4)', async () => {
  for (const { plugin, sign } of SENDERS.filter(({ plugin: one }) => one !== 'gitlab')) {
    const body = Buffer.from('{"a":1}');
    const place = { id: 'changed', at: Date.now() };
    const headers = sign(body, getSecret(plugin), place);
    const webhook = { secret: '', body: Buffer.from('{"a":2}'), change: () => headers };
    assert.is((await sendWebhook(node, plugin, webhook)).status, 401, plugin);
  }
});

dbTest('a signed time that is older than five minutes is refused (CLD-4)', async () => {
  for (const plugin of ['linear', 'slack', 'payments', 'standard']) {
    const at = Date.now() - 301_000;
    assert.is(
      (await sendWebhook(node, plugin, { secret: getSecret(plugin), at })).status,
      401,
      plugin,
    );
  }
});

dbTest(
  'an unknown team, an unknown sender and a wrong signature are answered in the same words',
  async () => {
    const secret = 'not the secret of anyone';
    const replies = [
      await sendWebhook(node, 'github', { secret }),
      await sendWebhook(node, 'github', { secret, team: 'unknown' }),
      await sendWebhook(node, 'github', { secret, team: 'other' }),
    ];
    // The ID of the request is another one each time.
    const same = replies.map(({ status, text }) => [
      status,
      { ...JSON.parse(text), requestId: '' },
    ]);
    assert.is(same[0]?.[0], 401);
    for (const one of same) assert.equal(one, same[0]);
  },
);

dbTest(
  'a copy by its ID, or by its bytes under another ID, is accepted and does nothing',
  async () => {
    const secret = getSecret('github');
    const body = Buffer.from(JSON.stringify({ action: 'edited', of: 'copies' }));
    const before = runner.received.length;
    const replies = [
      await sendWebhook(node, 'github', { secret, id: 'copy-1', body }),
      await sendWebhook(node, 'github', { secret, id: 'copy-1', body }),
      await sendWebhook(node, 'github', { secret, id: 'copy-2', body }),
    ];
    assert.equal(
      replies.map(({ text }) => JSON.parse(text).duplicate),
      [false, true, true],
    );
    // A signed ID counts: the same bytes may be sent for another event.
    const standard = getSecret('standard');
    const again = [
      await sendWebhook(node, 'standard', { secret: standard, id: 'msg_1', body }),
      await sendWebhook(node, 'standard', { secret: standard, id: 'msg_2', body }),
      await sendWebhook(node, 'standard', { secret: standard, id: 'msg_2', body }),
    ];
    assert.equal(
      again.map(({ text }) => JSON.parse(text).duplicate),
      [false, false, true],
    );
    await waitUntil(() => runner.received.length === before + 3);
  },
);

dbTest(
  'a large delivery comes whole, one that is too large is refused, and so is a compressed one',
  async () => {
    const secret = getSecret('github');
    const large = Buffer.alloc(300_000, 'a');
    assert.is((await sendWebhook(node, 'github', { secret, body: large })).status, 202);
    await waitUntil(() => runner.received.some(({ body }) => body.equals(large)));
    const tooLarge = Buffer.alloc(MAX_DELIVERY_BYTES + 1, 'a');
    assert.is((await sendWebhook(node, 'github', { secret, body: tooLarge })).status, 413);
    const bomb = gzipSync(Buffer.alloc(20_000_000));
    const change = (headers: Record<string, string>) => ({
      ...headers,
      'content-encoding': 'gzip',
    });
    assert.is((await sendWebhook(node, 'github', { secret, body: bomb, change })).status, 415);
  },
);

dbTest('while a secret is changed both count; with now, the old one ends at once', async () => {
  const old = getSecret('bitbucket');
  const rotate = async (body: object) =>
    (
      await node.ask('/teams/acme/webhooks/bitbucket/rotate', {
        method: 'POST',
        headers: asUser('adm'),
        body: JSON.stringify(body),
      })
    ).json();
  const postAndReadStatus = async (secret: string) =>
    (await sendWebhook(node, 'bitbucket', { secret })).status;
  const { secret: second, previousUntil } = await rotate({});
  assert.type(previousUntil, 'string');
  assert.equal([await postAndReadStatus(old), await postAndReadStatus(second)], [202, 202]);
  const { secret: third } = await rotate({ now: true });
  assert.equal(
    [await postAndReadStatus(old), await postAndReadStatus(second), await postAndReadStatus(third)],
    [401, 401, 202],
  );
});

dbTest('secrets are sealed in the database, and so are the headers that may hold one', async () => {
  const { sql, close } = await openDatabase(node.databaseUrl, { log: silentLog, max: 1 });
  const rows = [
    ...(await sql`select encode(secret, 'escape') as text from webhooks`),
    ...(await sql`select encode(headers, 'escape') as text from webhook_deliveries`),
  ];
  await close();
  assert.ok(rows.length > SENDERS.length);
  for (const secret of secrets.values())
    assert.not(
      rows.some(({ text }) => text.includes(secret)),
      'a secret is readable',
    );
});

dbTest('an installed plugin counts only with the manifest that an admin has accepted', async () => {
  const add = (user: string, body: object) =>
    node.ask('/teams/acme/webhooks', {
      method: 'POST',
      headers: asUser(user),
      body: JSON.stringify(body),
    });
  const remove = await node.ask('/teams/acme/webhooks/slack', {
    method: 'DELETE',
    headers: asUser('adm'),
  });
  assert.is(remove.status, 204);
  const refused = await add('adm', { plugin: 'slack' });
  const { offered } = await refused.json();
  assert.equal([refused.status, offered.length, offered[0].runner], [409, 1, 'home1']);
  assert.is((await add('adm', { plugin: 'slack', manifest: 'f'.repeat(64) })).status, 409);
  assert.is((await add('ben', { plugin: 'slack', manifest: offered[0].hash })).status, 403);
  assert.is((await add('adm', { plugin: 'slack', manifest: offered[0].hash })).status, 201);
  assert.is((await add('adm', { plugin: 'unheard-of' })).status, 409);
});

dbTest('a wrong signature, an unknown sender and an unknown team get the same bytes', async () => {
  const bytes = Buffer.from('{"a":1}');
  const headers = {
    'content-type': 'application/json',
    'x-hub-signature-256': `sha256=${'0'.repeat(64)}`,
  };
  const answers = await Promise.all(
    ['acme/github', 'acme/unheard-of', 'nowhere/github'].map(async (place) => {
      const reply = await node.ask(`/webhook/${place}`, { method: 'POST', headers, body: bytes });
      return [reply.status, await reply.text()];
    }),
  );
  assert.is(answers[0]?.[0], 401);
  assert.equal(answers.slice(1), [answers[0], answers[0]]);
});

dbTest('without a key no webhook is added, and everything is refused', async () => {
  const bare = await startTeamNode({ cloudKey: null, databaseUrl: node.databaseUrl });
  const reply = await bare.ask('/teams/acme/webhooks', {
    method: 'POST',
    headers: asUser('adm'),
    body: JSON.stringify({ plugin: 'linear' }),
  });
  assert.is((await reply.json()).code, 'not-possible-now');
  assert.is((await sendWebhook(bare, 'github', { secret: getSecret('github') })).status, 401);
  await bare.stop();
});

dbTest('the node stops', async () => {
  runner.bare.socket.terminate();
  await node.stop();
});

test.run();

import { gzipSync } from 'node:zlib';
import { request } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MAX_DELIVERY_BYTES } from '../../../src/contract/routes/route.ts';
import { defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import type { TestControlPlane } from '../../support/cloud/startTestControlPlane.ts';
import { startTeamNode, waitUntil } from '../../support/cloud/testTeam.ts';
import { findSender, SENDERS } from '../../support/cloud/webhookSenders.ts';
import {
  addWebhook,
  connectHooked,
  type HookedRunner,
  sendWebhook,
} from '../../support/cloud/webhookTeam.ts';

const test = suite('cloud: bodies of webhooks');
const dbTest = defineDatabaseTests(test);

let node: TestControlPlane;
let runner: HookedRunner;
const secrets = new Map<string, string>();
const getSecret = (plugin: string): string => secrets.get(plugin) ?? '';

/** Posts exactly these headers, each as often as it is listed; resolves with the status. */
const post = (
  place: string,
  headers: readonly [string, string][],
  body: Uint8Array,
): Promise<number> =>
  new Promise((resolve, reject) => {
    const outgoing = request(`${node.url}/webhook/${place}`, {
      method: 'POST',
      headers: [['host', new URL(node.url).host], ...headers].flat(),
    });
    outgoing.once('response', (reply) => {
      reply.resume();
      reply.once('end', () => resolve(reply.statusCode ?? 0));
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });

const signAsGithub = (body: Uint8Array, id: string): Record<string, string> =>
  findSender('github').sign(body, getSecret('github'), { id, at: Date.now() });

dbTest('a node for the tests of this file', async () => {
  node = await startTeamNode();
  runner = await connectHooked(node, 'home1');
  for (const { plugin } of SENDERS) secrets.set(plugin, await addWebhook(node, plugin));
});

for (const [what, type, text] of [
  ['a form', 'application/x-www-form-urlencoded', 'payload=%7B%22n%22%3A1%7D'],
  ['plain text', 'text/plain', '{"n":2}'],
  ['JSON of another charset', 'application/json; charset=utf-16', '{"n":3}'],
  ['parts', 'multipart/form-data; boundary=x', '--x\r\n\r\n{"n":4}\r\n--x--'],
  ['a type that no one knows', 'nonsense', '{"n":5}'],
  ['no type', null, '{"n":6}'],
  ['a body that is nothing', 'application/json', ''],
] as const)
  dbTest(`${what}: the signature decides, and the bytes reach the runner (CLD-4)`, async () => {
    const body = Buffer.from(text);
    const typed: [string, string][] = type === null ? [] : [['content-type', type]];
    const length: [string, string] = ['content-length', String(body.length)];
    const headers = [...Object.entries(signAsGithub(body, `body ${what}`.replaceAll(' ', '-')))];
    assert.is(await post('acme/github', [...typed, length, ...headers], body), 202);
    await waitUntil(() => runner.received.some((one) => one.body.equals(body)));
    const delivery = runner.received.find((one) => one.body.equals(body));
    assert.is(delivery?.headers['content-type'], type ?? undefined);
    const wrong = Object.entries(signAsGithub(Buffer.from('other'), 'other'));
    assert.is(await post('acme/github', [...typed, length, ...wrong], body), 401);
  });

dbTest('a body that is compressed in any way is refused before it is read (CLD-4)', async () => {
  const bomb = gzipSync(Buffer.alloc(20_000_000));
  const statuses: number[] = [];
  for (const encoding of ['gzip', 'deflate', 'br', 'zstd', 'gzip, gzip', 'identity']) {
    const headers = {
      ...signAsGithub(bomb, `coded-${statuses.length}`),
      'content-encoding': encoding,
    };
    statuses.push(await post('acme/github', Object.entries(headers), bomb));
  }
  assert.equal(statuses, [415, 415, 415, 415, 415, 202]);
});

dbTest(
  '5 MiB are taken and one byte more is not, with its length or in chunks (CLD-4)',
  async () => {
    const full = Buffer.alloc(MAX_DELIVERY_BYTES, 'a');
    const more = Buffer.alloc(MAX_DELIVERY_BYTES + 1, 'a');
    const sendSized = (body: Uint8Array, framing: [string, string]) =>
      post('acme/github', [framing, ...Object.entries(signAsGithub(body, 'size'))], body);
    assert.equal(
      [
        await sendSized(more, ['content-length', String(more.length)]),
        await sendSized(more, ['transfer-encoding', 'chunked']),
        await sendSized(full, ['transfer-encoding', 'chunked']),
      ],
      [413, 413, 202],
    );
    await waitUntil(() => runner.received.some(({ body }) => body.equals(full)));
  },
);

for (const { plugin, header, sign, payload, success = 202 } of SENDERS) {
  dbTest(`${plugin}: a header with the signature that comes twice is refused (CLD-4)`, async () => {
    const at = Date.now();
    const body = Buffer.from(JSON.stringify({ ...payload(at), doubled: plugin }));
    const signed = Object.entries(sign(body, getSecret(plugin), { id: `twice-${plugin}`, at }));
    const twice = signed.filter(([name]) => name === header);
    assert.equal(
      [
        await post(`acme/${plugin}`, [...signed, ...twice], body),
        await post(
          `acme/${plugin}`,
          [...twice.map(([name]): [string, string] => [name, 'x']), ...signed],
          body,
        ),
        await post(`acme/${plugin}`, signed, body),
      ],
      [401, 401, success],
    );
  });

  dbTest(
    `${plugin}: a signature with blanks or text around it, or in capitals (CLD-4)`,
    async () => {
      const sendAs = async (change: (value: string) => string) => {
        const { status } = await sendWebhook(node, plugin, {
          secret: getSecret(plugin),
          change: ({ [header]: value = '', ...rest }) => ({ ...rest, [header]: change(value) }),
        });
        return status;
      };
      assert.equal(
        [
          await sendAs((value) => `x${value}`),
          await sendAs((value) => `"${value}"`),
          await sendAs((value) => `${value}x`),
          await sendAs((value) => encodeURIComponent(`%${value}`)),
          await sendAs((value) => value.toUpperCase()),
        ],
        // The digits of a bare hex signature are the same in capitals.
        [401, 401, 401, 401, plugin === 'linear' ? success : 401],
      );
    },
  );
}

dbTest('the node stops', async () => {
  runner.bare.socket.terminate();
  await node.stop();
});

test.run();

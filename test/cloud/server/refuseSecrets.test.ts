import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { silentLog } from '../../../src/base/system/log/log.ts';
import { openDatabase } from '../../../src/cloud/database/openDatabase.ts';
import type { Database } from '../../../src/cloud/database/database.ts';
import { refuseSecrets } from '../../../src/cloud/server/refuseSecrets.ts';
import { HomeRunner } from '../../support/cloud/homeRunner.ts';
import { defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import type { TestControlPlane } from '../../support/cloud/startTestControlPlane.ts';
import { ProposalClient, toProposalId, toSentProposal } from '../../support/cloud/teamProposals.ts';
import { asUser, BareRunner, HELLO, startTeamNode } from '../../support/cloud/testTeam.ts';

const test = suite('cloud: tokens in what is sent to a control plane');
const dbTest = defineDatabaseTests(test);

const TOKEN = `ghp_${'Ab1'.repeat(12)}`;
const METRICS_TOKEN = 'a-token-of-monitors';

/** The field that is named, and what is counted. */
function refuse(body: unknown) {
  const counted: string[] = [];
  const observer = {
    noteCommit: () => undefined,
    dispatchPlaced: () => undefined,
    secretRefused: (where: string) => void counted.push(where),
  };
  try {
    refuseSecrets(observer, 'send', body);
    return { pointer: null, counted };
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    assert.is(error.code, 'invalid');
    assert.not.match(error.message, TOKEN);
    return { pointer: error.errors[0]?.pointer, counted };
  }
}

test('the field with a token is named and counted', () => {
  assert.equal(refuse({ a: [{ 'b/c': `use ${TOKEN}.` }] }), {
    pointer: '/a/0/b~1c',
    counted: ['send'],
  });
  assert.equal(refuse(TOKEN), { pointer: '', counted: ['send'] });
});

test('a name that holds a token is refused at the object around it', () => {
  assert.equal(refuse({ env: { [TOKEN]: 1 } }).pointer, '/env');
});

test('any other text passes, and a body may be nested deeply', () => {
  assert.equal(refuse({ text: 'ghp_ is how tokens of GitHub begin', n: 1, none: null }), {
    pointer: null,
    counted: [],
  });
  let deep: unknown = TOKEN;
  for (let n = 0; n < 100_000; n += 1) deep = [deep];
  assert.is(refuse(deep).counted.length, 1);
});

let node: TestControlPlane;
let database: Database;
let runner: HomeRunner;
test.after(async () => {
  await database?.close();
  await node?.stop();
});

const post = async (path: string, body: object) => {
  const reply = await node.ask(`/teams/acme${path}`, {
    method: 'POST',
    headers: asUser('ada'),
    body: JSON.stringify(body),
  });
  const { code, errors = [] } = await reply.json();
  return [reply.status, code, errors[0]?.pointer];
};

dbTest('a dispatch with a token is refused and not stored', async () => {
  node = await startTeamNode({ metricsToken: METRICS_TOKEN });
  database = await openDatabase(node.databaseUrl, { log: silentLog, max: 1 });
  const job = { type: 'job', workflowPath: 'workflows/job.md' };
  assert.equal(await post('/jobs', { ...job, params: { description: `Use ${TOKEN}` } }), [
    422,
    'invalid',
    '/params/description',
  ]);
  assert.equal(await post('/jobs', { ...job, params: {}, labels: ['linux', TOKEN] }), [
    422,
    'invalid',
    '/labels/1',
  ]);
  assert.is((await database.sql`select id from dispatches`).length, 0);
});

dbTest('a label for a machine of the pool with a token is refused', async () => {
  assert.equal(await post('/pairing-codes', { pool: true, labels: [TOKEN] }), [
    422,
    'invalid',
    '/labels/0',
  ]);
});

dbTest('a file of a proposal for the overlay with a token is refused', async () => {
  runner = await HomeRunner.open(node);
  const client = new ProposalClient(node, runner.token);
  const proposal = toSentProposal([{ path: 'memory/a.md', base: null, text: `token: ${TOKEN}\n` }]);
  const { status, body } = await client.send(toProposalId('secret'), proposal);
  assert.equal([status, body.errors[0].pointer], [422, '/files/0/text']);
  assert.is((await database.sql`select id from proposals`).length, 0);
});

dbTest('a runner whose own label holds a token connects without it', async () => {
  const bare = new BareRunner(node, runner.token);
  await bare.hello({ ...HELLO, labels: ['linux', TOKEN] });
  const [row] = await database.sql`select to_jsonb(labels) as labels from runners`;
  assert.equal(row?.labels, ['linux']);
  bare.socket.close();
});

dbTest('an entry of the log of a home is never refused', async () => {
  const socket = await runner.connect();
  const entry = runner.add(new TextEncoder().encode(TOKEN));
  socket.commit(entry);
  assert.is((await socket.bare.find('committed')).n, entry.n);
  socket.bare.socket.close();
});

dbTest('what was refused is counted for monitors', async () => {
  const reply = await node.ask('/metrics', {
    headers: { Authorization: `Bearer ${METRICS_TOKEN}` },
  });
  const counts = [...(await reply.text()).matchAll(/refused_total\{operation="(\w+)"\} (\d+)/g)];
  assert.equal(
    counts.map(([, operation, count]) => [operation, count]),
    [
      ['createTeamJob', '2'],
      ['createPairingCode', '1'],
      ['sendProposal', '1'],
      ['label', '1'],
    ],
  );
});

test.run();

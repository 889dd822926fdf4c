import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createRunnerToken, hashRunnerToken } from '../../../src/cloud/runners/runnerTokens.ts';
import type { AuditPage } from '../../../src/contract/schema/cloud/audit.ts';
import { CODE_MS, MOST_RUNNERS } from '../../../src/cloud/runners/pairingCodes.ts';
import { randomIds } from '../../../src/base/system/ids/ids.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import { asUser, pairHome, startTeamNode } from '../../support/cloud/testTeam.ts';

const test = suite('cloud: pairing of runners');
const dbTest = defineDatabaseTests(test);

test('a token with a wrong letter is found out without a look-up', () => {
  const token = createRunnerToken('r1', randomIds);
  assert.match(token, /^svcr_r1_[\w-]{43}_[0-9a-f]{8}$/);
  assert.type(hashRunnerToken(token), 'string');
  const letter = token[20] === 'a' ? 'b' : 'a';
  assert.is(hashRunnerToken(`${token.slice(0, 20)}${letter}${token.slice(21)}`), null);
  for (const text of ['', 'svcr_', 'svcr_r1_x_00000000', token.slice(1), `${token}0`])
    assert.is(hashRunnerToken(text), null);
});

const codeBy = (userId: string | null, body: object) => ({
  method: 'POST',
  headers: userId === null ? { 'content-type': 'application/json' } : asUser(userId),
  body: JSON.stringify(body),
});

dbTest('who may create codes (RUN-2)', async () => {
  const node = await startTeamNode();
  const statuses: Record<string, number> = {};
  for (const [name, userId, body] of [
    ['member, own', 'ben', {}],
    ['member, pool', 'ben', { pool: true }],
    ['admin, pool', 'adm', { pool: true, labels: ['gpu'] }],
    ['viewer', 'vic', {}],
    ['another team', 'eve', {}],
    ['no one', null, {}],
    ['a label that is none', 'adm', { pool: true, labels: ['a b'] }],
  ] as const)
    statuses[name] = (await node.ask('/teams/acme/pairing-codes', codeBy(userId, body))).status;
  assert.equal(statuses, {
    'member, own': 201,
    'member, pool': 403,
    'admin, pool': 201,
    viewer: 403,
    'another team': 404,
    'no one': 401,
    'a label that is none': 422,
  });
  await node.stop();
});

dbTest('a code pairs one home, once, however it is typed (RUN-2)', async () => {
  const node = await startTeamNode();
  const reply = await (await node.ask('/teams/acme/pairing-codes', codeBy('ben', {}))).json();
  assert.match(reply.code, /^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/);
  const typed = ` ${reply.code.toLowerCase().replace('-', '')} `;
  const pair = () => node.ask('/pair', codeBy(null, { code: typed, name: 'mac', homeId: 'h1' }));
  const first = await pair();
  assert.is(first.status, 201);
  const { team, pool, labels, token } = await first.json();
  assert.equal(
    { team, pool, labels },
    { team: { id: 'acme', slug: 'acme', name: 'acme' }, pool: false, labels: [] },
  );
  assert.type(hashRunnerToken(token), 'string');
  assert.is((await pair()).status, 403);
  const audit = await node.ask('/teams/acme/audit?action=pairRunner', { headers: asUser('adm') });
  const { entries } = (await audit.json()) as AuditPage;
  assert.equal(
    entries.map(({ userId, person, target, failed }) => [userId, person, target.name, failed]),
    [['ben', 'ben', 'mac', null]],
  );
  await node.stop();
});

dbTest('a code ends after ten minutes', async () => {
  let late = 0;
  const clock = {
    now: () => Date.now() + late,
    at: (time: number, run: () => void) => systemClock.at(time - late, run),
  };
  const node = await startTeamNode({ clock });
  const { code } = await (await node.ask('/teams/acme/pairing-codes', codeBy('ben', {}))).json();
  late = CODE_MS + 1;
  const reply = await node.ask('/pair', codeBy(null, { code, name: 'mac', homeId: 'h1' }));
  assert.is(reply.status, 403);
  await node.stop();
});

dbTest('a home of someone else cannot be taken over; its owner pairs it again', async () => {
  const node = await startTeamNode();
  const first = await pairHome(node, { userId: 'ada' });
  const other = await pairHome(node, { userId: 'ben' });
  assert.equal([other.status, other.body.code], [409, 'conflict']);
  const again = await pairHome(node, { userId: 'ada' });
  assert.is(again.status, 201);
  assert.is(again.body.runnerId, first.body.runnerId);
  assert.is.not(again.body.token, first.body.token);
  await node.stop();
});

dbTest('who may revoke a runner', async () => {
  const node = await startTeamNode();
  const { body } = await pairHome(node, { userId: 'ben' });
  const revoke = async (userId: string) =>
    (
      await node.ask(`/teams/acme/runners/${body.runnerId}`, {
        method: 'DELETE',
        headers: { 'x-test-user': userId },
      })
    ).status;
  assert.is(await revoke('vic'), 403);
  assert.is(await revoke('eve'), 404);
  assert.is(await revoke('ben'), 204);
  assert.is(await revoke('adm'), 404);
  await node.stop();
});

dbTest('only hashes of codes and tokens are stored', async () => {
  const node = await startTeamNode();
  const { body, code } = await pairHome(node);
  const { openDatabase } = await import('../../../src/cloud/database/openDatabase.ts');
  const { silentLog } = await import('../../../src/base/system/log/log.ts');
  const { sql, close } = await openDatabase(node.databaseUrl, { log: silentLog, max: 1 });
  const [rows] =
    await sql`select (select json_agg(r)::text from runners r) || (select json_agg(c)::text from pairing_codes c) as text`;
  await close();
  assert.not.match(rows?.text, body.token.split('_')[2]);
  assert.not.match(rows?.text, code.replace('-', ''));
  await node.stop();
});

dbTest(
  'a team with a hundred runners gets no further one, and may pair those that it has again',
  async () => {
    const node = await startTeamNode();
    const { openDatabase } = await import('../../../src/cloud/database/openDatabase.ts');
    const { silentLog } = await import('../../../src/base/system/log/log.ts');
    const { sql, close } = await openDatabase(node.databaseUrl, { log: silentLog, max: 1 });
    assert.is((await pairHome(node)).status, 201);
    await sql`
    insert into runners (id, team_id, owner_id, home_id, name, accept, token_hash, token_at, created_at)
    select 'r' || n, 'acme', 'ada', 'h' || n, 'm' || n, 'own', 't' || n, now(), now()
    from generate_series(2, ${MOST_RUNNERS}::int) n`;
    const refused = await pairHome(node, { homeId: 'further', name: 'further' });
    assert.equal([refused.status, refused.body.code], [409, 'not-possible-now']);
    assert.is((await pairHome(node)).status, 201);
    await sql`update runners set revoked_at = now() where id = 'r2'`;
    assert.is((await pairHome(node, { homeId: 'further', name: 'further' })).status, 201);
    await close();
    await node.stop();
  },
);

test.run();

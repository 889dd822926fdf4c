import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MIN_REQUEST_LIMIT } from '../../../../src/base/limits/requestLimit.ts';
import { type Clock, systemClock } from '../../../../src/base/time/clock.ts';
import {
  type TestDatabase,
  openTestDatabase,
  defineDatabaseTests,
} from '../../../support/cloud/openTestDatabase.ts';
import { type ServedRoutes, serveRoutes, toRoute } from '../../../support/cloud/serveRoutes.ts';

const test = suite('cloud: who may call a route');
const dbTest = defineDatabaseTests(test);

const ROLES = ['viewer', 'member', 'admin', 'owner'] as const;
const ROUTES = [
  toRoute('/open', { who: 'anyone' }),
  toRoute('/me', { who: 'person' }),
  ...ROLES.map((who) => toRoute(`/teams/:teamId/${who}`, { who })),
  toRoute('/teams/:teamId/read', { who: 'member', isReadOfRunner: true }),
  toRoute('/teams/:teamId/read', { who: 'member', method: 'POST' }),
];

let opened: { database: TestDatabase; served: ServedRoutes } | null = null;

async function serve(): Promise<ServedRoutes> {
  if (opened !== null) return opened.served;
  const database = await openTestDatabase();
  const { sql } = database;
  await sql`insert into teams values ('team1', 'acme', 'Acme', '{}', now()), ('team2', 'other', 'Other', '{}', now())`;
  for (const role of ROLES) {
    await sql`insert into users values (${role}, ${`${role}@example.com`}, ${role}, null, now())`;
    await sql`insert into members values ('team1', ${role}, ${role}, now())`;
  }
  const served = await serveRoutes(database, ROUTES, (_route, { person, team }) => ({
    person,
    team,
  }));
  opened = { database, served };
  return served;
}

const readCode = async (reply: Response) => (await reply.json()).code;

dbTest(
  'each role reaches the routes of its own and lower roles, and no others (CLD-1)',
  async () => {
    const { ask } = await serve();
    for (const [level, role] of ROLES.entries())
      for (const [needed, route] of ROLES.entries()) {
        const { status } = await ask(`/teams/acme/${route}`, role);
        assert.is(status, needed <= level ? 200 : 403, `${role} asks for ${route}`);
      }
  },
);

dbTest('a person who asks too often must wait, and no one else must', async () => {
  await serve();
  const { database } = opened ?? {};
  if (database === undefined) throw new Error('no database');
  const limited = await serveRoutes(database, ROUTES, () => ({}), {
    requestLimit: MIN_REQUEST_LIMIT,
  });
  let retryAfter: string | null = null;
  for (let count = 0; count < 10 * MIN_REQUEST_LIMIT && retryAfter === null; count += 1) {
    const reply = await limited.ask('/me', 'viewer');
    await reply.arrayBuffer();
    if (reply.status === 429) retryAfter = reply.headers.get('retry-after');
  }
  assert.is(retryAfter, '1');
  assert.is((await limited.ask('/teams/acme/viewer', 'admin')).status, 200);
  assert.is((await limited.ask('/open')).status, 200);
  await limited.close();
});

dbTest(
  'a handler is given the person and the team with its ID, whichever name was asked',
  async () => {
    const { ask } = await serve();
    const expected = {
      person: { userId: 'admin', email: 'admin@example.com', name: 'admin' },
      team: { id: 'team1', slug: 'acme', role: 'admin' },
    };
    assert.equal(await (await ask('/teams/acme/viewer', 'admin')).json(), expected);
    assert.equal(await (await ask('/teams/team1/viewer', 'admin')).json(), expected);
  },
);

dbTest('without a login only open routes answer', async () => {
  const { ask } = await serve();
  assert.is((await ask('/open')).status, 200);
  const refused = await ask('/me');
  assert.is(refused.status, 401);
  assert.is(await readCode(refused), 'unauthorized');
  assert.is((await ask('/teams/acme/viewer')).status, 401);
  assert.is((await ask('/teams/unknown/viewer')).status, 401);
});

dbTest('a foreign team is answered as one that does not exist, byte by byte', async () => {
  const { ask } = await serve();
  const headers = { 'X-Request-Id': 'same' };
  const foreign = await ask('/teams/other/viewer', 'owner', { headers });
  const unknown = await ask('/teams/unknown/viewer', 'owner', { headers });
  assert.is(foreign.status, 404);
  assert.is(await foreign.text(), await unknown.text());
});

dbTest('a role counts from the next request on', async () => {
  const { ask } = await serve();
  const { sql } = (opened as NonNullable<typeof opened>).database;
  await sql`update members set role = 'owner' where user_id = 'viewer'`;
  assert.is((await ask('/teams/acme/owner', 'viewer')).status, 200);
  await sql`update members set role = 'viewer' where user_id = 'viewer'`;
  assert.is((await ask('/teams/acme/owner', 'viewer')).status, 403);
});

dbTest(
  'a read that begins while the right is checked is answered only to who has it now, and names no runner otherwise',
  async () => {
    const { database } = opened ?? {};
    if (database === undefined) throw new Error('no database');
    const { sql } = database;
    const calls: string[] = [];
    // However slow the machine is, the member was let in a moment ago.
    const at = systemClock.now();
    const clock: Clock = { ...systemClock, now: () => at };
    const served = await serveRoutes(
      database,
      ROUTES,
      ({ method }, { ctx, team }) => {
        calls.push(`${method} ${team?.role}`);
        ctx.set('X-Svc-Runner', 'r1');
        return { secret: true };
      },
      { clock },
    );
    const setRole = (role: string) =>
      sql`update members set role = ${role} where team_id = 'team1' and user_id = 'member'`;
    const read = async (method = 'GET') => {
      const init =
        method === 'GET' ? {} : { method, headers: { 'Content-Type': 'application/json' } };
      const reply = await served.ask('/teams/acme/read', 'member', init);
      const { code = null, secret = false } = await reply.json();
      return { status: reply.status, code, secret, runner: reply.headers.get('x-svc-runner') };
    };
    const granted = { status: 200, code: null, secret: true, runner: 'r1' };
    assert.equal(await read(), granted);
    await setRole('viewer');
    const refused = { status: 403, code: 'forbidden', secret: false, runner: null };
    assert.equal(await read(), refused);
    // What was remembered is forgotten: no further read begins.
    calls.length = 0;
    assert.equal(await read(), refused);
    assert.equal(calls, []);
    await setRole('member');
    assert.equal(await read(), granted);
    await setRole('admin');
    const changed = { status: 503, code: 'temporarily-unavailable', secret: false, runner: null };
    assert.equal(await read(), changed);
    assert.equal(await read(), granted);
    await sql`delete from members where team_id = 'team1' and user_id = 'member'`;
    assert.equal((await read()).status, 404);
    await sql`insert into members values ('team1', 'member', 'member', now())`;
    assert.equal(await read(), granted);
    // A change begins after its check.
    await setRole('viewer');
    calls.length = 0;
    assert.equal(await read('POST'), refused);
    assert.equal(calls, []);
    await setRole('member');
    await served.close();
  },
);

dbTest('an unknown address and a wrong method are named', async () => {
  const { ask } = await serve();
  assert.is(await readCode(await ask('/nowhere')), 'not-found');
  const reply = await ask('/me', 'owner', { method: 'DELETE' });
  assert.is(reply.status, 405);
  assert.is(reply.headers.get('allow'), 'GET, HEAD');
});

test.after(async () => {
  await opened?.served.close();
  await opened?.database.close();
});

test.run();

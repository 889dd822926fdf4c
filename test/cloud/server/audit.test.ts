import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { verifyAudit } from '../../../src/base/audit/verifyAudit.ts';
import { sha256 } from '../../../src/base/system/ids/ids.ts';
import { silentLog } from '../../../src/base/system/log/log.ts';
import type { Database } from '../../../src/cloud/database/database.ts';
import { openDatabase } from '../../../src/cloud/database/openDatabase.ts';
import { appendAudit } from '../../../src/cloud/server/audit/appendAudit.ts';
import { checkNewestAudit } from '../../../src/cloud/server/audit/checkNewestAudit.ts';
import type { AuditPage, TeamAuditCheck } from '../../../src/contract/schema/cloud/audit.ts';
import { defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import type { TestControlPlane } from '../../support/cloud/startTestControlPlane.ts';
import { asUser, startTeamNode } from '../../support/cloud/testTeam.ts';

const test = suite('cloud: the audit log of a team');
const dbTest = defineDatabaseTests(test);

let node: TestControlPlane;
let database: Database;

const ask = (method: string, path: string, body?: object, userId = 'ada') =>
  node.ask(`/teams/acme${path}`, {
    method,
    headers: asUser(userId),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const readPage = async (query = ''): Promise<AuditPage> => {
  const reply = await ask('GET', `/audit${query}`);
  assert.is(reply.status, 200);
  return (await reply.json()) as AuditPage;
};

const verify = () => verifyAudit((after) => readPage(`?after=${after}&limit=2`), sha256);

dbTest('a change has an entry with person, address, action and target', async () => {
  node = await startTeamNode();
  database = await openDatabase(node.databaseUrl, { log: silentLog, max: 2 });
  await ask('PATCH', '/members/ben', { role: 'viewer' });
  const { entries, head, previous } = await readPage();
  assert.is(previous, '');
  assert.is(head.n, 1);
  const [entry] = entries;
  assert.equal(
    [entry?.userId, entry?.person, entry?.action, entry?.target, entry?.failed, entry?.refersTo],
    ['ada', 'ada', 'changeMember', { userId: 'ben', role: 'viewer' }, null, null],
  );
  assert.match(entry?.address ?? '', /^(127\.0\.0\.1|::1)$/);
});

dbTest('what is only read has no entry', async () => {
  await ask('GET', '/members');
  assert.is((await readPage()).head.n, 1);
});

dbTest('a change that the role does not allow has none: it was not asked of the team', async () => {
  assert.is((await ask('PATCH', '/members/ben', { role: 'admin' }, 'vic')).status, 403);
  assert.is((await readPage()).head.n, 1);
});

dbTest('a change that fails has a second entry, which names the first and the error', async () => {
  assert.is((await ask('PATCH', '/members/ada', { role: 'viewer' })).status, 409);
  const { entries } = await readPage('?after=1');
  assert.equal(
    entries.map(({ n, failed, refersTo }) => [n, failed, refersTo]),
    [
      [2, null, null],
      [3, 'not-possible-now', 2],
    ],
  );
});

dbTest('a request of a runner below a team counts too', async () => {
  await ask('POST', '/jobs/j1/pause', {});
  const { entries } = await readPage('?after=3&limit=1');
  assert.equal([entries[0]?.action, entries[0]?.target], ['teamPause', { jobId: 'j1' }]);
});

dbTest('only admins read it', async () => {
  assert.is((await ask('GET', '/audit', undefined, 'vic')).status, 403);
});

dbTest('changes at once get numbers in a row', async () => {
  const { head } = await readPage();
  await Promise.all(Array.from({ length: 12 }, (_, n) => ask('PATCH', '', { name: `Team ${n}` })));
  assert.is((await readPage()).head.n, head.n + 12);
  const { checked, fault } = await verify();
  assert.equal([checked, fault], [head.n + 12, null]);
});

dbTest('filters by action and time', async () => {
  const { entries } = await readPage('?action=changeMember');
  assert.equal(
    entries.map(({ n }) => n),
    [1, 2, 3],
  );
  const since = encodeURIComponent('2999-01-01T00:00:00.000Z');
  assert.equal((await readPage(`?since=${since}`)).entries, []);
});

dbTest('filters by person: the ID, or the name at that time in any case', async () => {
  await ask('PATCH', '', { name: 'Acme' }, 'adm');
  await appendAudit(database, 'acme', {
    at: new Date().toISOString(),
    userId: 'adm',
    person: 'Adam',
    address: null,
    action: 'login',
    target: {},
    failed: null,
    refersTo: null,
  });
  const listPeople = async (person: string) =>
    (await readPage(`?person=${person}`)).entries.map(({ userId, person }) => [userId, person]);
  const both = [
    ['adm', 'adm'],
    ['adm', 'Adam'],
  ];
  assert.equal(await listPeople('adm'), both);
  assert.equal(await listPeople('ADAM'), both.slice(1));
  assert.equal(await listPeople('ada%25'), []);
  assert.is((await readPage('?person=adm&action=changeMember')).entries.length, 0);
  assert.is((await ask('GET', '/audit?person=')).status, 400);
});

dbTest('a check names how many of the newest entries are as they were written', async () => {
  const { head } = await readPage();
  const reply = await ask('GET', '/audit/check', undefined, 'adm');
  assert.equal(await reply.json(), {
    from: 1,
    checked: head.n,
    head,
    fault: null,
    isComplete: true,
  });
  const { from, checked, isComplete } = await checkNewestAudit(database, 'acme', 3);
  assert.equal([from, checked, isComplete], [head.n - 2, 3, false]);
  assert.is((await ask('GET', '/audit/check', undefined, 'ben')).status, 403);
  const empty = await ask('GET', '/audit/check', undefined, 'eve');
  assert.is(empty.status, 404);
});

dbTest('a changed entry is named', async () => {
  await database.sql`update audit set target = '{"userId":"eve"}' where team_id = 'acme' and n = 2`;
  assert.equal((await verify()).fault, { n: 2, reason: 'changed' });
  const reply = await ask('GET', '/audit/check');
  assert.equal(((await reply.json()) as TeamAuditCheck).fault, { n: 2, reason: 'changed' });
  assert.is((await checkNewestAudit(database, 'acme', 3)).fault, null);
  await database.sql`update audit set target = '{"userId":"ada","role":"viewer"}' where team_id = 'acme' and n = 2`;
  assert.is((await verify()).fault, null);
});

dbTest('a removed entry is named, at the end of the log too', async () => {
  const { head } = await readPage();
  await database.sql`delete from audit where team_id = 'acme' and n = 4`;
  assert.equal((await verify()).fault, { n: 4, reason: 'missing' });
  // Also where it is the first one that the check would have read.
  const { checked, fault } = await checkNewestAudit(database, 'acme', head.n - 3);
  assert.equal([checked, fault], [0, { n: 4, reason: 'missing' }]);
  await database.sql`delete from audit where team_id = 'acme' and n >= 4`;
  assert.equal((await verify()).fault, { n: 4, reason: 'missing' });
  await database.sql`delete from audit where team_id = 'acme'`;
  assert.equal((await verify()).fault, { n: 0, reason: 'missing' });
  assert.ok(head.n > 4);
});

dbTest('closes', async () => {
  await database.close();
  await node.stop();
});

test.run();

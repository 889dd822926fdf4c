import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { verifyAudit } from '../../../src/base/audit/verifyAudit.ts';
import { sha256 } from '../../../src/base/system/ids/ids.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { DELETED_PERSON, deletePerson } from '../../../src/cloud/retention/deletePerson.ts';
import { type ExportSubject, exportData } from '../../../src/cloud/retention/exportData.ts';
import { readAudit } from '../../../src/cloud/server/audit/readAudit.ts';
import { systemClock as clock } from '../../../src/base/time/clock.ts';
import {
  openTestDatabase,
  defineDatabaseTests,
  type TestDatabase,
} from '../../support/cloud/openTestDatabase.ts';
import { seedTeams } from '../../support/cloud/testTeam.ts';

const test = suite('cloud: export and deletion by name');
const dbTest = defineDatabaseTests(test);

/** In every column that no export may have. */
const SECRET = 'not-to-be-exported';
const JOBS = 450;

let database: TestDatabase;
const now = new Date();

async function read(
  subject: ExportSubject,
): Promise<{ lines: Record<string, unknown>[]; text: string }> {
  let text = '';
  await exportData({ database, clock }, subject, async (more) => {
    text += more;
  });
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { lines, text };
}

const countParts = (lines: readonly Record<string, unknown>[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { part } of lines)
    if (part !== undefined) counts[String(part)] = (counts[String(part)] ?? 0) + 1;
  return counts;
};

const refuse = async (work: Promise<unknown>): Promise<SvcError> => {
  try {
    await work;
  } catch (error) {
    if (error instanceof SvcError) return error;
    throw error;
  }
  throw new Error('it was not refused');
};

const remove = (email: string, name: string | null) =>
  deletePerson({ database, clock }, email, name);

dbTest('a team in whose secret columns there is something', async () => {
  database = await openTestDatabase();
  const { sql } = database;
  await seedTeams(database.url);
  const sealed = Buffer.from(SECRET);
  await sql`update users set password = ${SECRET}`;
  await sql`insert into identities (issuer, subject, user_id, refresh_token) values ('https://i', 'ben', 'ben', ${sealed})`;
  for (const [id, owner] of [
    ['r1', 'ben'],
    ['pool', null],
  ])
    await sql`
      insert into runners (id, team_id, owner_id, home_id, name, accept, token_hash, previous_hash, token_at, created_at)
      values (${id ?? ''}, 'acme', ${owner ?? null}, ${`home ${id}`}, ${`machine ${id}`}, 'team', ${`${SECRET} ${id}`}, ${SECRET}, ${now}, ${now})`;
  await sql`
    insert into jobs (team_id, runner_id, job_id, change, summary, status, type, title, needs_person, created_at, updated_at)
    select 'acme', case when n % 3 = 0 then 'r1' else 'pool' end, 'job' || n, n, '{}', 'running', 'task', 'x', false, ${now}, ${now}
    from generate_series(1, ${JOBS}) n`;
  await sql`insert into invitations (token_hash, id, team_id, role, invited_by, created_at, expires_at) values (${SECRET}, 'i1', 'acme', 'member', 'ben', ${now}, ${now})`;
  await sql`insert into pairing_codes (code_hash, team_id, created_by, created_at, expires_at) values (${SECRET}, 'acme', 'ben', ${now}, ${now})`;
  await sql`insert into password_links (token_hash, user_id, created_at, expires_at) values (${SECRET}, 'ben', ${now}, ${now})`;
  await sql`insert into browser_sessions (token_hash, user_id, csrf_hash, created_at, used_at) values (${SECRET}, 'ben', ${SECRET}, ${now}, ${now})`;
  await sql`insert into webhooks (team_id, plugin_id, secret, previous_secret, created_by, created_at, changed_at) values ('acme', 'github', ${sealed}, ${sealed}, 'ben', ${now}, ${now})`;
  await sql`
    insert into webhook_deliveries (team_id, plugin_id, hash, is_known_by_hash, headers, body, received_at)
    values ('acme', 'github', 'h', true, ${sealed}, ${sealed}, ${now})`;
  await sql`
    insert into dispatches (id, team_id, created_by, body, state, reason, reason_since, created_at)
    values ('d1', 'acme', 'ben', '{"description":"x"}', 'waiting', 'x', ${now}, ${now})`;
  for (const [version, author] of [
    [1, 'ben'],
    [2, 'ada'],
  ] as const)
    await sql`
      insert into overlay_versions (team_id, version, files, created_at, created_by, author)
      values ('acme', ${version}, '{}', ${now}, ${author}, ${author})`;
  await sql`
    insert into proposals (team_id, id, kind, description, content, hash, checks, warnings, state, approval, created_at, changed_at, created_by)
    values ('acme', 'p1', 'memory', '', '[]', '', '{}', 0, 'applied', '{"author":"ben","by":"member"}', ${now}, ${now}, 'ben')`;
});

dbTest('the export of a team has each row once, and the number of them at its end', async () => {
  const { lines } = await read({ team: 'acme' });
  const counts = countParts(lines);
  assert.equal(
    [counts.members, counts.runners, counts.jobs, counts.dispatches, counts.overlay_versions],
    [4, 2, JOBS, 1, 2],
  );
  assert.equal([lines[0]?.export, lines[0]?.team], ['team', 'acme']);
  assert.equal(lines.at(-1), { end: true, rows: lines.length - 2 });
});

dbTest('no secret, hash of a token or body of a webhook is in it', async () => {
  for (const subject of [{ team: 'acme' }, { person: 'ben@example.com' }]) {
    const { text } = await read(subject);
    assert.not.ok(text.includes(SECRET));
    assert.not.ok(text.includes(Buffer.from(SECRET).toString('hex')));
    assert.not.ok(text.includes(Buffer.from(SECRET).toString('base64')));
  }
});

dbTest('no column of a sealed or hashed kind is named in it', async () => {
  for (const subject of [{ team: 'acme' }, { person: 'ben@example.com' }]) {
    const { lines } = await read(subject);
    const names = new Set(lines.flatMap((line) => Object.keys(line)));
    for (const name of [
      'token_hash',
      'previous_hash',
      'secret',
      'refresh_token',
      'password',
      'headers',
      'csrf_hash',
    ])
      assert.not.ok(names.has(name), name);
  }
});

dbTest('rows come in pieces: an export never holds all of them', async () => {
  let longest = 0;
  await exportData({ database, clock }, { team: 'acme' }, async (text) => {
    longest = Math.max(longest, text.split('\n').length - 1);
  });
  assert.is(longest, 200);
});

dbTest('the export of a person has what is theirs in every team', async () => {
  const { lines } = await read({ person: ' Ben@example.com ' });
  const counts = countParts(lines);
  assert.equal(
    [
      counts.person,
      counts.identities,
      counts.memberships,
      counts.runners,
      counts.jobs,
      counts.dispatches,
      counts.proposals,
    ],
    [1, 1, 1, 1, JOBS / 3, 1, 1],
  );
});

dbTest('the audit log names exports, and not the address of the person', async () => {
  const { entries } = await readAudit(database, 'acme', {});
  const acts = entries.map(({ action, target }) => [action, target]);
  assert.equal(acts[0], ['exportTeam', {}]);
  assert.ok(
    entries.some(({ action, target }) => action === 'exportPerson' && target.userId === 'ben'),
  );
  assert.not.ok(JSON.stringify(entries).includes('@'));
});

dbTest('who does not exist is not found', async () => {
  assert.is((await refuse(read({ team: 'none' }))).code, 'not-found');
  assert.is((await refuse(read({ person: 'none@example.com' }))).code, 'not-found');
  assert.is((await refuse(remove('none@example.com', 'none'))).code, 'not-found');
});

dbTest(
  'without the name, or with another one, nothing is deleted, and it says what would be',
  async () => {
    for (const name of [null, 'Ben', '']) {
      const { code, data } = await refuse(remove('ben@example.com', name));
      assert.equal(
        [code, data],
        ['bad-argument', { name: 'ben', teams: ['acme'], runners: ['machine r1'], dispatches: 1 }],
      );
    }
    assert.is((await database.sql`select 1 from users where id = 'ben'`).length, 1);
  },
);

dbTest('the only owner of a team is not deleted', async () => {
  const { code, data } = await refuse(remove('ada@example.com', 'ada'));
  assert.equal([code, data], ['not-possible-now', { teams: ['acme'] }]);
});

dbTest(
  'while another runner continues the jobs of a machine, its owner is not deleted',
  async () => {
    await database.sql`
    insert into adoptions (token_hash, runner_id, adopter_id, state) values ('a', 'r1', 'pool', 'running')`;
    assert.is((await refuse(remove('ben@example.com', 'ben'))).code, 'not-possible-now');
    await database.sql`delete from adoptions`;
  },
);

dbTest('a person goes with all that is theirs, and what is of others stays', async () => {
  assert.equal(await remove('ben@example.com', 'ben'), {
    email: 'ben@example.com',
    teams: ['acme'],
    runners: ['machine r1'],
    dispatches: 1,
  });
  const { sql } = database;
  for (const [table, column] of [
    ['users', 'id'],
    ['members', 'user_id'],
    ['identities', 'user_id'],
    ['browser_sessions', 'user_id'],
    ['password_links', 'user_id'],
    ['runners', 'owner_id'],
    ['dispatches', 'created_by'],
    ['invitations', 'invited_by'],
    ['pairing_codes', 'created_by'],
    ['overlay_versions', 'created_by'],
    ['webhooks', 'created_by'],
  ] as const)
    assert.is(
      (await sql`select 1 from ${sql(table)} where ${sql(column)} = 'ben'`).length,
      0,
      table,
    );
  const [row] = await sql`select count(*) as n from jobs where team_id = 'acme'`;
  assert.is(row?.n, (2 * JOBS) / 3);
});

dbTest('the history of the overlay stays, without the name', async () => {
  const { sql } = database;
  const authors = await sql`select author from overlay_versions order by version`;
  assert.equal(
    authors.map(({ author }) => author),
    [DELETED_PERSON, 'ada'],
  );
  const [proposal] = await sql`select approval ->> 'author' as author from proposals`;
  assert.is(proposal?.author, DELETED_PERSON);
});

dbTest('the chain of the audit log still holds, and names the deletion', async () => {
  const check = await verifyAudit(
    (after) => readAudit(database, 'acme', { after, limit: 2 }),
    sha256,
  );
  assert.is(check.fault, null);
  const { entries } = await readAudit(database, 'acme', { action: 'deletePerson' });
  assert.equal(
    entries.map(({ userId, person, target }) => [userId, person, target]),
    [[null, null, { userId: 'ben' }]],
  );
});

dbTest('the database is closed', () => database.close());

test.run();

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CLIENT_ID, CLIENT_SECRET } from '../support/cloud/companyIssuer.ts';
import { postgresPrograms, defineDatabaseTests } from '../support/cloud/openTestDatabase.ts';
import { PASSWORD } from '../support/cloud/peopleStage.ts';
import { SignOnStage } from '../support/cloud/signOnStage.ts';
import { TEST_CLOUD_KEY } from '../support/cloud/startTestControlPlane.ts';

const test = suite('svc cloud: commands of operators and admins, as programs');
const dbTest = defineDatabaseTests(test);

const BIN = join(import.meta.dirname, '../../cli/bin/run.js');

let stage: SignOnStage;
let dir: string;

interface Ran {
  code: number;
  out: string;
  err: string;
}

/** A command of who runs the control plane, and is logged in as ada. */
async function svc(argv: readonly string[], input = ''): Promise<Ran> {
  const child = spawn(process.execPath, [BIN, ...argv], {
    cwd: dir,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: dir,
      SVC_HOME: join(dir, 'home'),
      NO_COLOR: '1',
      DATABASE_URL: stage.people.cloud.databaseUrl,
      SVC_CLOUD_KEY: TEST_CLOUD_KEY,
    },
  });
  const ran: Ran = { code: 0, out: '', err: '' };
  child.stdout.on('data', (part) => {
    ran.out += part;
  });
  child.stderr.on('data', (part) => {
    ran.err += part;
  });
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  return { ...ran, code: Number(code) };
}

const readLines = (name: string): Record<string, unknown>[] =>
  readFileSync(join(dir, name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

const countPeople = async (email: string): Promise<number> => {
  const { sql } = stage.people.database;
  return (await sql`select 1 from users where email = ${email}`).length;
};

if (postgresPrograms.length > 0)
  test.before(async () => {
    dir = mkdtempSync(join(tmpdir(), 'svc-operator-'));
    stage = await SignOnStage.open();
    await stage.people.addPerson('ben', 'member', stage.teamId);
    const { publicUrl } = stage.people.cloud;
    const how = ['--email', 'ada@svc.example', '--password', '-'];
    const { code, err } = await svc(['login', '--cloud-url', publicUrl, ...how], `${PASSWORD}\n`);
    if (code !== 0) throw new Error(err);
  });
test.after(async () => {
  await stage?.close();
  if (dir !== undefined) rmSync(dir, { recursive: true, force: true });
});

dbTest('export writes a whole file that only its owner can read, once (CLD-1)', async () => {
  const argv = ['cloud', 'export', '--team', 'acme', '--output', 'acme.jsonl', '--json'];
  const { code, out } = await svc(argv);
  assert.is(code, 0);
  const lines = readLines('acme.jsonl');
  assert.is(statSync(join(dir, 'acme.jsonl')).mode & 0o777, 0o600);
  assert.is(lines.at(-1)?.end, true);
  assert.is(JSON.parse(out).rows, lines.at(-1)?.rows);
  assert.ok(lines.some(({ part }) => part === 'members'));
  const before = readFileSync(join(dir, 'acme.jsonl'), 'utf8');
  assert.is((await svc(argv)).code, 2);
  assert.is(readFileSync(join(dir, 'acme.jsonl'), 'utf8'), before);
  const person = ['--person', 'ben@svc.example', '--output', 'ben.jsonl'];
  assert.is((await svc(['cloud', 'export', ...person])).code, 0);
  assert.is(readLines('ben.jsonl').at(-1)?.end, true);
  const unknown = ['--team', 'unheard-of', '--output', 'none.jsonl'];
  assert.is((await svc(['cloud', 'export', ...unknown])).code, 3);
});

dbTest('the audit log is read by time and person, and names a changed entry (CLD-1)', async () => {
  const { code, out } = await svc(['cloud', 'audit', '--since', '1d', '--json']);
  assert.is(code, 0);
  const entries: { n: number; action: string; person: string | null }[] = JSON.parse(out);
  assert.ok(entries.some(({ action }) => action === 'exportTeam'));
  const ofAda = await svc(['cloud', 'audit', '--person', 'ADA', '--json']);
  assert.equal(
    JSON.parse(ofAda.out),
    entries.filter(({ person }) => person === 'ada'),
  );
  assert.ok(JSON.parse(ofAda.out).length > 0);
  assert.equal(JSON.parse((await svc(['cloud', 'audit', '--person', 'no one', '--json'])).out), []);

  assert.is((await svc(['cloud', 'audit', 'verify'])).code, 0);
  const { sql } = stage.people.database;
  const changed = entries[0]?.n ?? 1;
  const change = (address: string) =>
    sql`update audit set address = ${address} where team_id = ${stage.teamId} and n = ${changed} returning address`;
  const [before] =
    await sql`select address from audit where team_id = ${stage.teamId} and n = ${changed}`;
  await change('203.0.113.9');
  const verified = await svc(['cloud', 'audit', 'verify', '--json']);
  assert.is(verified.code, 1);
  assert.equal(JSON.parse(verified.out).error.fault, { n: changed, reason: 'changed' });
  await sql`update audit set address = ${before?.address} where team_id = ${stage.teamId} and n = ${changed}`;
  assert.is((await svc(['cloud', 'audit', 'verify'])).code, 0);
});

dbTest('a person is deleted only by the name that is shown (CLD-2)', async () => {
  const argv = ['cloud', 'delete-person', 'ben@svc.example'];
  for (const more of [[], ['--name', 'Ben']]) {
    assert.is((await svc([...argv, ...more])).code, 2, more.join(' '));
    assert.is(await countPeople('ben@svc.example'), 1);
  }
  assert.is((await svc([...argv, '--name', 'ben'])).code, 0);
  assert.is(await countPeople('ben@svc.example'), 0);
  const owner = ['cloud', 'delete-person', 'ada@svc.example', '--name', 'ada'];
  assert.is((await svc(owner)).code, 1, 'the only owner of a team');
});

dbTest('the issuer is set, shown without its secret, and removed (CLD-2)', async () => {
  // The address comes after flags that may be repeated: none of them takes it.
  const argv = ['cloud', 'issuer', 'set', '--client-id', CLIENT_ID, '--secret', '-'];
  const more = ['--domain', 'svc.example', '--domain', 'svc.test', '--role', 'staff=acme:member'];
  const set = await svc([...argv, ...more, stage.issuer.url], `${CLIENT_SECRET}\n`);
  assert.is(set.code, 0, set.err);
  const result = await svc(['cloud', 'issuer', 'show', '--json']);
  const { issuer } = JSON.parse(result.out);
  assert.equal([issuer.issuer, issuer.domains], [stage.issuer.url, ['svc.example', 'svc.test']]);
  assert.not.match(result.out + set.out + set.err, CLIENT_SECRET);
  // Without a secret the stored one stays.
  const again = await svc([...argv.slice(0, -2), '--domain', 'svc.example', stage.issuer.url]);
  assert.is(again.code, 0, again.err);
  assert.is((await svc(['cloud', 'issuer', 'remove'])).code, 0);
  assert.is(JSON.parse((await svc(['cloud', 'issuer', 'show', '--json'])).out).issuer, null);
});

dbTest('a team is deleted by its owner, by the name that is shown (CLD-1)', async () => {
  const { sql } = stage.people.database;
  const argv = ['cloud', 'team', 'delete', 'acme', '--name'];
  assert.is((await svc([...argv, 'Acme Corp'])).code, 2);
  assert.is((await sql`select 1 from teams where slug = 'acme'`).length, 1);
  assert.is((await svc([...argv, 'acme'])).code, 0);
  assert.is((await sql`select 1 from teams where slug = 'acme'`).length, 0);
});

test.run();

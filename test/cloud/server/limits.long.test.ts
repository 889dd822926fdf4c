// Runs in a process of its own: it lowers the number of connections that a node of this process takes.
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { read } from '../../../scripts/checks/projectFiles.ts';
import { silentLog } from '../../../src/base/system/log/log.ts';
import { type Clock, systemClock } from '../../../src/base/time/clock.ts';
import { openDatabase } from '../../../src/cloud/database/openDatabase.ts';
import { MOST_WAITING } from '../../../src/cloud/jobs/dispatches/placeDispatches.ts';
import { MOST_RUNNERS } from '../../../src/cloud/runners/pairingCodes.ts';
import { CLOUD_CONNECTION_LIMITS } from '../../../src/cloud/server/openCloudPort.ts';
import { DELIVERY_RATE } from '../../../src/cloud/server/rateLimits.ts';
import { postgresPrograms, defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import { PASSWORD, PeopleStage } from '../../support/cloud/peopleStage.ts';
import type { TestControlPlane } from '../../support/cloud/startTestControlPlane.ts';
import { asUser, BareRunner, pairHome, startTeamNode } from '../../support/cloud/testTeam.ts';
import { addWebhook, sendWebhook } from '../../support/cloud/webhookTeam.ts';

const test = suite('cloud: what a request above a limit is answered, as the page says');
const dbTest = defineDatabaseTests(test);

/** The table below `## Limits`: what a further one gets, by the limit. */
const readLimits = (): Map<string, string> => {
  const page = read('docs/operations/control-plane.md');
  const section = page.split('\n## Limits\n')[1]?.split('\n## ')[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| '));
  return new Map(
    rows.slice(1).map((row) => {
      const [, limit = '', , answer = ''] = row.split('|').map((cell) => cell.trim());
      return [limit, answer];
    }),
  );
};

/** Time does not pass, so nothing is refilled. */
const now = systemClock.now();
const stoppedClock: Clock = {
  now: () => now,
  at: (due, run) => systemClock.at(systemClock.now() + due - now, run),
};

let node: TestControlPlane;
let people: PeopleStage;
const sql = async (run: (database: Awaited<ReturnType<typeof openDatabase>>['sql']) => unknown) => {
  const database = await openDatabase(node.databaseUrl, { log: silentLog, max: 1 });
  await run(database.sql);
  await database.close();
};
const REQUESTS = 600;

if (postgresPrograms.length > 0)
  test.before(async () => {
    node = await startTeamNode({ clock: stoppedClock, requestLimit: REQUESTS });
    people = await PeopleStage.open();
  });
test.after(async () => {
  await node?.stop();
  await people?.close();
});

interface Refusal {
  status: number;
  retryAfter: string | null;
  text: string;
}

const toRefusal = async (reply: Response): Promise<Refusal> => ({
  status: reply.status,
  retryAfter: reply.headers.get('retry-after'),
  text: await reply.text(),
});

/** Sends one more than so many, and gives the only one that is refused. */
async function findRefusal(most: number, send: () => Promise<Refusal>): Promise<Refusal> {
  const answers: Refusal[] = [];
  for (let remaining = most + 1; remaining > 0; remaining -= AT_ONCE)
    answers.push(
      ...(await Promise.all(Array.from({ length: Math.min(remaining, AT_ONCE) }, () => send()))),
    );
  const refusals = answers.filter(({ status }) => status >= 300);
  const [refusal] = refusals;
  if (refusal === undefined || refusals.length > 1)
    throw new Error(`${refusals.length} of ${most + 1} were refused`);
  return refusal;
}
const AT_ONCE = 50;

async function refuseLogin(): Promise<Refusal> {
  await people.addPerson('ada');
  const visitor = people.visitor();
  for (let n = 0; n < 10; n += 1)
    assert.is((await visitor.logIn('ada@svc.example', 'wrong password')).status, 401);
  const { status, headers, text: page } = await visitor.logIn('ada@svc.example', PASSWORD);
  return { status, retryAfter: headers.get('retry-after'), text: page };
}

async function refuseCode(): Promise<Refusal> {
  people.clock.shift(20 * 60_000);
  await people.addPerson('ben');
  const visitor = await people.openVisitor('ben');
  for (let n = 0; n < 5; n += 1)
    assert.is((await visitor.fill('/auth/device', { code: 'BBBB-BBBB' })).status, 422);
  const { status, headers, text: page } = await visitor.fill('/auth/device', { code: 'BBBB-BBBB' });
  return { status, retryAfter: headers.get('retry-after'), text: page };
}

async function refuseRequest(): Promise<Refusal> {
  const asVic = { headers: asUser('vic') };
  return findRefusal(REQUESTS, async () => toRefusal(await node.ask('/teams/acme', asVic)));
}

async function refuseDelivery(): Promise<Refusal> {
  const secret = await addWebhook(node, 'github');
  return findRefusal(DELIVERY_RATE.burst, () => sendWebhook(node, 'github', { secret }));
}

async function refuseRunner(): Promise<Refusal> {
  await sql(
    (db) => db`
    insert into runners (id, team_id, owner_id, home_id, name, accept, token_hash, token_at, created_at)
    select 'r' || n, 'acme', 'ada', 'h' || n, 'r' || n, 'own', 'r' || n, now(), now()
    from generate_series(1, ${MOST_RUNNERS}::int) n`,
  );
  const { status, code, body } = await pairHome(node, { homeId: 'late', name: 'late' });
  await sql((db) => db`update runners set revoked_at = now() where id = 'r1'`);
  const again = await node.ask('/pair', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code, name: 'late', homeId: 'late' }),
  });
  assert.ok(again.ok, 'the same code pairs it then');
  return { status, retryAfter: null, text: JSON.stringify(body) };
}

async function refuseDispatch(): Promise<Refusal> {
  await sql(
    (db) => db`
    insert into dispatches (id, team_id, created_by, body, state, reason, reason_since, created_at)
    select 'd' || n, 'acme', 'ada', '{}', 'waiting', 'no-runner', now(), now()
    from generate_series(1, ${MOST_WAITING}::int) n`,
  );
  const job = { type: 'job', workflowPath: 'workflows/job.md', params: {} };
  const reply = await node.ask('/teams/acme/jobs', {
    method: 'POST',
    headers: asUser('ada'),
    body: JSON.stringify(job),
  });
  return toRefusal(reply);
}

async function refuseSocket(): Promise<Refusal> {
  const runners = Array.from({ length: 201 }, () => new BareRunner(node, 'svcr_x_y_z'));
  const refusals = await Promise.all(runners.map(({ refused }) => refused));
  const late = refusals.filter(({ status }) => status === 503);
  assert.is(refusals.filter(({ status }) => status === 401).length, 200);
  return { status: late[0]?.status ?? 0, retryAfter: late[0]?.retryAfter ?? null, text: '' };
}

async function refuseConnection(): Promise<Refusal> {
  const usual = CLOUD_CONNECTION_LIMITS.connections;
  CLOUD_CONNECTION_LIMITS.connections = 2;
  const small = await startTeamNode();
  const { port } = new URL(small.url);
  const open = async () => {
    const socket = connect(Number(port), '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  };
  const idle = [await open(), await open()];
  const late = await open();
  late.write('GET /health HTTP/1.1\r\nHost: x\r\n\r\n');
  const answer = await text(late);
  for (const socket of idle) socket.destroy();
  await small.stop();
  CLOUD_CONNECTION_LIMITS.connections = usual;
  const [, status = ''] = /^HTTP\/1\.1 (\d+)/.exec(answer) ?? [];
  return { status: Number(status), retryAfter: null, text: answer };
}

/** By the beginning of the row: what exceeds the limit, and words of the answer beside its status. */
const LIMITS: Readonly<Record<string, { exceed(): Promise<Refusal>; says: RegExp }>> = {
  '10 wrong logins': { exceed: refuseLogin, says: /Wait 15 minutes/ },
  '5 wrong codes': { exceed: refuseCode, says: /Wait 15 minutes/ },
  '600 requests': { exceed: refuseRequest, says: /more than 600 requests/ },
  '50 webhooks': { exceed: refuseDelivery, says: /more than 50 webhooks/ },
  '100 runners': { exceed: refuseRunner, says: /not-possible-now.*100 runners/ },
  '10,000 dispatches': { exceed: refuseDispatch, says: /Cancel some, or connect more runners/ },
  '5,000 sockets': { exceed: refuseSocket, says: /^$/ },
  '10,000 connections': { exceed: refuseConnection, says: /Too many connections/ },
};
/** What refuses nothing, or needs many requests at once, is tested elsewhere. */
const TRIED_ELSEWHERE = {
  '50 entries': 'test/cloud/homes/pace.test.ts',
  '500 requests': 'test/cloud/server/gates/limitOpenRequests.test.ts',
  '64 requests': 'test/cloud/runners/channelAttacks.test.ts',
  '15 seconds': 'test/cloud/server/answerClientErrors.test.ts',
};

dbTest('every limit of the page is tried', () => {
  const starts = [...Object.keys(LIMITS), ...Object.keys(TRIED_ELSEWHERE)];
  for (const limit of readLimits().keys())
    assert.ok(
      starts.some((start) => limit.startsWith(start)),
      limit,
    );
  assert.is(readLimits().size, starts.length);
  for (const file of Object.values(TRIED_ELSEWHERE))
    assert.ok(existsSync(join(import.meta.dirname, '../../..', file)), file);
});

for (const [start, { exceed, says }] of Object.entries(LIMITS))
  dbTest(`${start}: a further one gets what the page says (CLD-2)`, async () => {
    const [, answer = ''] = [...readLimits()].find(([limit]) => limit.startsWith(start)) ?? [];
    const { status, retryAfter, text: reply } = await exceed();
    assert.match(answer, `\`${status}`);
    if (answer.includes('Retry-After') || answer.includes('minutes to wait'))
      assert.ok(Number(retryAfter) >= 1, `Retry-After ${retryAfter}`);
    assert.match(reply, says);
  });

test.run();

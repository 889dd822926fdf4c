import { get } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasRole } from '../../../src/contract/schema/cloud/teamRole.ts';
import { TEAM_OPERATIONS } from '../../../src/cloud/jobs/proxy/teamOperations.ts';
import { routes } from '../../../src/contract/routes/routes.ts';
import {
  connectDouble,
  type DoubleAnswer,
  type DoubleRunner,
  toJsonReply,
  toProblemReply,
  toRow,
} from '../../support/cloud/doubleRunner.ts';
import { defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import type { TestControlPlane } from '../../support/cloud/startTestControlPlane.ts';
import { asUser, waitUntil, startTeamNode } from '../../support/cloud/testTeam.ts';
import { ROUTE_BODIES, ROUTE_QUERIES } from '../../support/cloud/routeBodies.ts';

const test = suite('cloud: requests to the runner of a job');
const dbTest = defineDatabaseTests(test);

let node: TestControlPlane;
let other: TestControlPlane;
let one: { runner: DoubleRunner; runnerId: string };
let two: { runner: DoubleRunner; runnerId: string };
let answer: DoubleAnswer = ({ path }) => toJsonReply(200, { path });

const ask = (path: string, init: RequestInit & { userId?: string } = {}, from = node) =>
  from.ask(`/teams/acme${path}`, {
    ...init,
    headers: { ...asUser(init.userId ?? 'ada'), ...init.headers },
  });

dbTest('two nodes, and a runner on the second one', async () => {
  node = await startTeamNode();
  other = await startTeamNode({ databaseUrl: node.databaseUrl });
  one = await connectDouble(other, {
    homeId: 'h1',
    hello: { name: 'mac-ada' },
    answer: (request) => answer(request),
  });
  one.runner.sendJobs([toRow('mine'), toRow('both')]);
  await waitUntil(async () => (await (await ask('/jobs')).json()).length === 2);
});

const VALUES: Readonly<Record<string, string>> = {
  jobId: 'mine',
  artifactId: 'a',
  insightId: 'i',
  phase: 'plan',
  name: 'child',
  slug: 'shop',
  n: '1',
  prId: 'local:shop#1',
  threadId: 't',
  sessionId: 's',
  evidenceId: 'E1',
  proposalId: '0123456789abcdef',
  scope: 'job',
};
const ROLES = { vic: 'viewer', ben: 'member', adm: 'admin', ada: 'owner' } as const;

dbTest('each route of a team is passed on with a role that is high enough (CLD-2)', async () => {
  const passed = TEAM_OPERATIONS.filter(({ asked }) => asked !== 'list');
  assert.ok(passed.length > 50);
  for (const { route, role } of passed) {
    const path = route.path.replace(/:([a-zA-Z]+)/g, (_, name: string) =>
      encodeURIComponent(VALUES[name] ?? 'x'),
    );
    const query = ROUTE_QUERIES[route.name] ?? '';
    const init = {
      method: route.method,
      ...(route.body ? { body: JSON.stringify(ROUTE_BODIES[route.name] ?? {}) } : {}),
    };
    for (const [userId, has] of Object.entries(ROLES)) {
      const requestCount = one.runner.requests.length;
      const reply = await ask(`${path}${query}`, { ...init, userId });
      const text = await reply.text();
      if (!hasRole(has, role)) {
        assert.is(reply.status, 403, `${route.name} as ${has}`);
        assert.is(one.runner.requests.length, requestCount);
        continue;
      }
      assert.is(reply.status, 200, `${route.name} as ${has}: ${text}`);
      const got = one.runner.requests.at(-1);
      assert.equal(
        [got?.method, got?.path, got?.person],
        [route.method, `${path}${query}`, { userId, name: userId, role: has }],
        route.name,
      );
    }
    assert.is((await node.ask(`/teams/acme${path}`, init)).status, 401, route.name);
    const headers = { ...asUser('eve'), 'X-Request-Id': 'fixed' };
    const readRefusal = async (team: string) => {
      const reply = await node.ask(`/teams/${team}${path}`, { ...init, headers });
      return { status: reply.status, text: await reply.text() };
    };
    const foreign = await readRefusal('acme');
    assert.is(foreign.status, 404, route.name);
    assert.equal(foreign, await readRefusal('unknown'), route.name);
  }
});

dbTest('the document names each route that is passed on, and no other (CLD-2)', async () => {
  const { paths } = await (await node.ask('/openapi.json')).json();
  const documented = Object.entries<Record<string, Record<string, unknown>>>(paths).flatMap(
    ([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]) =>
        operation['x-svc-of-runner'] === true ? [`${method.toUpperCase()} ${path}`] : [],
      ),
  );
  const passed = TEAM_OPERATIONS.filter(({ asked }) => asked !== 'list').map(
    ({ route: { method, path } }) =>
      `${method} /teams/{teamId}${path.replace(/:([a-zA-Z]+)/g, '{$1}')}`,
  );
  assert.equal(documented.toSorted(), passed.toSorted());
});

dbTest('what never leaves a machine is not there (CLD-2)', async () => {
  const ofTeam = new Set(TEAM_OPERATIONS.map(({ route }) => route.name));
  for (const { path, method, name } of routes) {
    if (ofTeam.has(name)) continue;
    const filled = path.replace(/:([a-zA-Z]+)/g, (_, name: string) => VALUES[name] ?? 'x');
    const reply = await ask(filled, { method, ...(method === 'GET' ? {} : { body: '{}' }) });
    assert.ok([404, 405].includes(reply.status), `${method} ${path}: ${reply.status}`);
  }
});

dbTest('the surface lists what is offered, and whether the role is high enough', async () => {
  const read = async (userId: string) => (await ask('/surface', { userId })).json();
  const { role, operations } = await read('vic');
  const find = (name: string) => operations.find((op: { name: string }) => op.name === name);
  assert.is(role, 'viewer');
  assert.equal(find('job').runner, 'of-job');
  assert.equal(find('workflows').runner, 'any');
  assert.equal(find('statistics').runner, 'named');
  assert.equal(find('jobs').runner, 'list');
  assert.equal([find('resume').allowed, find('config')], [false, undefined]);
  const isAuditAllowed = async (userId: string) =>
    (await read(userId)).operations.find((op: { name: string }) => op.name === 'audit').allowed;
  assert.equal(await Promise.all(['vic', 'ben', 'adm', 'ada'].map(isAuditAllowed)), [
    false,
    false,
    true,
    true,
  ]);
});

dbTest('only what is listed passes: no cookie, no page, a download is a download', async () => {
  answer = () => ({
    status: 200,
    body: '<script>',
    headers: {
      'content-type': 'text/html',
      'set-cookie': 'a=b',
      'x-total-count': '7',
      etag: '"e"',
      'x-evil': '1',
    },
  });
  const { headers } = await ask('/jobs/mine');
  assert.equal(
    ['content-type', 'set-cookie', 'x-total-count', 'etag', 'x-evil', 'content-disposition'].map(
      (name) => headers.get(name),
    ),
    ['application/octet-stream', null, '7', '"e"', null, 'attachment'],
  );
  assert.is(headers.get('x-svc-runner'), one.runnerId);
  answer = () => toJsonReply(200, {});
  const artefact = await ask('/jobs/mine/artifacts/a/content');
  assert.is(artefact.headers.get('content-disposition'), 'attachment');
  assert.match(artefact.headers.get('content-security-policy') ?? '', 'sandbox');
});

dbTest('a refusal of the runner comes back as it is', async () => {
  answer = () => toProblemReply(409, 'not-possible-now', { state: 'done' });
  const reply = await ask('/jobs/mine/pause', { method: 'POST', body: '{}' });
  assert.is(reply.status, 409);
  assert.equal((await reply.json()).state, 'done');
  answer = ({ path }) => toJsonReply(200, { path });
});

/** `fetch` would resolve the dots itself. */
const readRawStatus = (path: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(node.url);
    get({ hostname, port, path, headers: asUser('ada') }, (reply) => {
      reply.resume();
      resolve(reply.statusCode);
    }).once('error', reject);
  });

dbTest('addresses that lead elsewhere never reach a runner', async () => {
  const requestCount = one.runner.requests.length;
  for (const path of [
    '/jobs/..%2f..%2fconfig',
    '/jobs/%2e%2e',
    '/jobs/mine%2f..%2f..%2fconfig/log',
    '/jobs/mine/%2e%2e/config',
    '/jobs/a%00b',
    '/config',
    '/../config',
  ])
    assert.is(await readRawStatus(`/teams/acme${path}`), 404, path);
  assert.is(one.runner.requests.length, requestCount);
});

dbTest('of the headers only those that a route reads are passed on', async () => {
  await ask('/jobs/mine/pause', {
    method: 'POST',
    body: '{}',
    headers: {
      'X-Svc-Person': 'x',
      'X-Svc-Link': 'x',
      Cookie: 'a=b',
      'X-Forwarded-For': '1.1.1.1',
      'Idempotency-Key': 'k',
    },
  });
  const headers = one.runner.requests.at(-1)?.headers ?? {};
  assert.equal(Object.keys(headers).sort(), [
    'accept',
    'content-type',
    'idempotency-key',
    'x-request-id',
  ]);
  assert.is.not(headers['idempotency-key'], 'k');
});

dbTest('a job that no list has is not found; a named runner is asked all the same', async () => {
  assert.is((await ask('/jobs/unknown')).status, 404);
  assert.is((await ask('/jobs/unknown?runner=mac-ada')).status, 200);
  assert.is(one.runner.requests.at(-1)?.path, '/jobs/unknown');
});

dbTest('a reader that leaves ends the request at the runner', async () => {
  answer = () => null;
  const leaving = new AbortController();
  const reply = ask('/jobs/mine/stream', { signal: leaving.signal }).catch(() => 'left');
  const before = one.runner.bare.frames.filter(({ type }) => type === 'cancel').length;
  await waitUntil(() => one.runner.requests.at(-1)?.path === '/jobs/mine/stream');
  leaving.abort();
  assert.is(await reply, 'left');
  await waitUntil(
    () => one.runner.bare.frames.filter(({ type }) => type === 'cancel').length > before,
  );
  answer = ({ path }) => toJsonReply(200, { path });
});

dbTest('two homes with the same id: both are named, and one can be chosen', async () => {
  two = await connectDouble(node, { homeId: 'h2', hello: { name: 'mac-ben' }, userId: 'ben' });
  two.runner.sendJobs([toRow('both')]);
  await waitUntil(async () => (await (await ask('/jobs')).json()).length === 3);
  const reply = await ask('/jobs/both');
  assert.is(reply.status, 409);
  assert.equal((await reply.json()).runners, [
    { id: one.runnerId, name: 'mac-ada' },
    { id: two.runnerId, name: 'mac-ben' },
  ]);
  assert.is((await ask('/jobs/both?runner=mac-ben')).headers.get('x-svc-runner'), two.runnerId);
  assert.is(two.runner.requests.at(-1)?.path, '/jobs/both');
});

dbTest('what belongs to one runner asks for its name where the team has several', async () => {
  assert.is((await ask('/statistics')).status, 400);
  await ask('/costs?runner=mac-ada');
  assert.is(one.runner.requests.at(-1)?.path, '/costs');
  const workflows = await ask('/workflows', { userId: 'ben' });
  assert.is(workflows.headers.get('x-svc-runner'), two.runnerId);
});

dbTest(
  'a runner that is away: its job is shown as the list has it, a command names it',
  async () => {
    one.runner.close();
    await waitUntil(async () => (await ask('/jobs/mine')).headers.get('x-svc-runner') !== null);
    await waitUntil(async () => (await (await ask('/jobs/mine')).json()).runner !== undefined);
    const job = await (await ask('/jobs/mine')).json();
    assert.equal([job.id, job.runner.name], ['mine', 'mac-ada']);
    await waitUntil(async () => (await (await ask('/jobs/mine')).json()).runner.awaySince !== null);
    const reply = await ask('/jobs/mine/pause', { method: 'POST', body: '{}' });
    const { code, runner } = await reply.json();
    assert.equal([reply.status, code, runner.name], [503, 'runner-away', 'mac-ada']);
    assert.type(runner.awaySince, 'string');
    assert.is((await ask('/jobs/mine/log')).status, 503);
  },
);

dbTest('the nodes of the tests of this file end', async () => {
  await node.stop();
  await other.stop();
});

test.run();

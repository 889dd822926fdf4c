import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { request as sendRequest } from 'node:http';
import { ADDRESSES, type RouteName } from '../../../../src/contract/routes/addresses.ts';
import { routes } from '../../../../src/contract/routes/routes.ts';
import { LINK_HEADER, PERSON_HEADER } from '../../../../src/base/http/ownHeaders.ts';
import type { Member } from '../../../../src/contract/schema/runner/caller.ts';
import { JOB_ID } from '../../../support/http/fakeFacade.ts';
import { openSurface, type Surface, TOKEN } from '../../../support/http/httpSurface.ts';

const test = suite('http: members of a team');

const SECRET = 'the secret of the link';
const ADA: Member = { userId: 'ada', name: 'Ada Lovelace', role: 'member' };

/** Names that never leave the machine. A new route is added here, or gets a role, deliberately. */
const NEVER: readonly RouteName[] = [
  ...([
    'metrics',
    'gc',
    'gcSchedule',
    'stopRunner',
    'restartRunner',
    'leaveTeam',
    'openapi',
    'backup',
  ] as const),
  ...([
    'promoteInsight',
    'proposals',
    'proposal',
    'approveProposal',
    'rejectProposal',
    'applyProposal',
  ] as const),
  ...(['dryRunGuardrail', 'replayDecision', 'triggers', 'webhook'] as const),
  ...(['schedules', 'runSchedule', 'resumeSchedule'] as const),
  ...([
    'plugins',
    'installPlugin',
    'uninstallPlugin',
    'pluginJobs',
    'pluginModels',
    'checkPlugin',
    'testPlugin',
  ] as const),
  ...([
    'detectPluginAuth',
    'applyPluginAuth',
    'vendorLogins',
    'startVendorLogin',
    'completeVendorLogin',
  ] as const),
  ...([
    'cancelVendorLogin',
    'generateVendorToken',
    'config',
    'configSchema',
    'updateConfig',
  ] as const),
  ...([
    'setUp',
    'completeSetUp',
    'skipSetUpStep',
    'answerSetUpStep',
    'trust',
    'addTrust',
    'removeTrust',
  ] as const),
  ...(['notificationChannels', 'testNotification', 'pushKey', 'subscribePush'] as const),
  ...(['unsubscribePush', 'audit'] as const),
  ...(['mcpServers', 'inheritedMcps', 'intelligenceLayers'] as const),
  ...([
    'intelligenceFile',
    'mergedFile',
    'preflight',
    'intelligenceHistory',
    'intelligenceVersion',
  ] as const),
  ...([
    'writeIntelligenceFile',
    'removeIntelligenceFile',
    'intakeStream',
    'watchInvestigation',
  ] as const),
  ...([
    'investigations',
    'investigation',
    'saveInvestigation',
    'removeInvestigation',
    'stopInvestigation',
  ] as const),
  ...([
    'checkCitations',
    'pinnedLines',
    'pinNewest',
    'evidenceText',
    'createLogin',
    'logout',
    'endLogins',
  ] as const),
];

test('what never leaves the machine', () => {
  const never = routes.filter(({ team }) => team === null).map(({ name }) => name);
  assert.equal([...never].sort(), [...NEVER].sort());
});

test('a route that changes something is not for viewers', () => {
  // They use credentials of the runner to read.
  const reading: readonly RouteName[] = ['jobPullRequest', 'jobPullRequestDiff'];
  const open = routes.filter(
    ({ access, team, name }) => access === 'write' && team === 'viewer' && !reading.includes(name),
  );
  assert.equal(open, []);
});

const encode = (person: unknown): string =>
  Buffer.from(JSON.stringify(person)).toString('base64url');

interface MemberRequest {
  method?: string;
  person?: unknown;
  secret?: string | null;
  token?: string;
  body?: object;
}

/** Sends a path as it is: `fetch` would normalise it. */
const send = (
  { port }: Surface,
  path: string,
  { method = 'GET', person = ADA, secret = SECRET, token = TOKEN, body }: MemberRequest = {},
): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const request = sendRequest(
      {
        port,
        host: '127.0.0.1',
        method,
        path,
        headers: {
          ...(token === '' ? {} : { Authorization: `Bearer ${token}` }),
          ...(secret === null ? {} : { [LINK_HEADER]: secret }),
          ...(person === null ? {} : { [PERSON_HEADER]: encode(person) }),
          ...(body ? { 'Content-Type': 'application/json' } : {}),
        },
      },
      (reply) => {
        let text = '';
        reply.setEncoding('utf8').on('data', (part) => {
          text += part;
        });
        reply.on('end', () => resolve({ status: reply.statusCode ?? 0, text }));
      },
    );
    request.on('error', reject);
    request.end(body && JSON.stringify(body));
  });

const openLinked = (refusal: string | null = null): Promise<Surface> =>
  openSurface({ link: () => ({ secret: SECRET, refuseDispatch: () => refusal }) });

test('a person is believed only with the secret of the link and the token (RUN-2)', async () => {
  await using surface = await openLinked();
  const status = async (request: MemberRequest) => (await send(surface, '/jobs', request)).status;
  assert.is(await status({}), 200);
  assert.is(await status({ secret: null }), 403);
  assert.is(await status({ secret: 'another' }), 403);
  assert.is(await status({ secret: '' }), 403);
  assert.is(await status({ person: null }), 403);
  assert.is(await status({ token: '' }), 401);
  assert.is(await status({ token: 'wrong' }), 401);
  assert.is(await status({ person: { ...ADA, role: 'king' } }), 403);
  assert.is(await status({ person: 'Ada' }), 403);
});

test('a runner without a link believes no one', async () => {
  await using surface = await openSurface();
  assert.is((await send(surface, '/jobs')).status, 403);
  assert.is((await send(surface, '/jobs', { secret: '' })).status, 403);
  assert.is((await send(surface, '/jobs', { person: null, secret: null })).status, 200);
});

test('each route asks for its role', async () => {
  await using surface = await openLinked();
  const command = `/jobs/${JOB_ID}/pause`;
  const asRole = async (role: Member['role'], path: string, method: string, body?: object) =>
    (await send(surface, path, { person: { ...ADA, role }, method, ...(body ? { body } : {}) }))
      .status;
  assert.is(await asRole('viewer', '/jobs', 'GET'), 200);
  assert.is(await asRole('viewer', command, 'POST'), 403);
  assert.is(await asRole('member', command, 'POST'), 200);
  assert.is(await asRole('member', '/stop-all', 'POST'), 403);
  assert.is(await asRole('admin', '/stop-all', 'POST'), 200);
  assert.is(await asRole('owner', '/stop-all', 'POST'), 200);
});

test('no role opens what never leaves the machine', async () => {
  await using surface = await openLinked();
  const open: string[] = [];
  for (const name of NEVER) {
    const [method, path] = ADDRESSES[name];
    const filled = path
      .replace(':jobId', JOB_ID)
      .replace(':pluginId', 'github')
      .replace(/:\w+/g, 'a1');
    const { status } = await send(surface, filled, { method, person: { ...ADA, role: 'owner' } });
    if (status !== 403 && status !== 404) open.push(`${method} ${path} ${status}`);
  }
  assert.equal(open, []);
});

for (const path of ['/workflows/lint', '/workflows/simulate'])
  test(`${path}: a member cannot ask about the repositories on the machine`, async () => {
    await using surface = await openLinked();
    const ask = (more: object) =>
      send(surface, path, {
        method: 'POST',
        person: { ...ADA, role: 'owner' },
        body: { path: 'workflows/a.md', text: '', ...more },
      });
    const refused = await ask({ repo: 'shop' });
    assert.equal([refused.status, JSON.parse(refused.text).code], [403, 'forbidden']);
    assert.is((await ask({})).status, 200);
  });

test('addresses beside the table, and ways around it, are not found', async () => {
  await using surface = await openLinked();
  const person = { ...ADA, role: 'owner' };
  for (const path of [
    '/dashboard/',
    '/login/x',
    '/mcp/x',
    '/jobs/../config',
    '/jobs/%2e%2e/config',
    '/jobs%2f..%2fconfig',
    '//config',
    '/config/',
    '/CONFIG',
    '/jobs/..%2fconfig',
  ])
    assert.ok([403, 404].includes((await send(surface, path, { person })).status), path);
});

test('dispatches are refused where the runner takes none of this person', async () => {
  await using surface = await openLinked('not yours');
  const body = { type: 'job', workflowPath: 'workflows/a.md', params: {} };
  const { status, text } = await send(surface, '/jobs', { method: 'POST', body });
  assert.is(status, 403);
  assert.is(JSON.parse(text).reason, 'not-accepted');
  assert.is((await send(surface, '/jobs')).status, 200);
  await using taking = await openLinked(null);
  assert.is((await send(taking, '/jobs', { method: 'POST', body })).status, 201);
});

test('the sender of a command is the member, with a name that can be shown', async () => {
  await using surface = await openLinked();
  const resume = (name: string) =>
    send(surface, `/jobs/${JOB_ID}/resume`, { method: 'POST', person: { ...ADA, name } });
  const names: unknown[] = [];
  for (const name of [
    'Ada Lovelace',
    ' Ada\n\u202eevil ',
    'svc: SVC:job-1',
    '\u200b',
    'x'.repeat(200),
  ]) {
    await resume(name);
    names.push(surface.runner.resumedPerson);
  }
  assert.equal(names, ['Ada Lovelace', 'Ada evil', 'job-1', 'ada', `${'x'.repeat(63)}…`]);
});

test.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LoginCodes } from '../../../../src/api/server/login/loginCodes.ts';
import { MAX_LOGINS } from '../../../../src/api/server/login/logins.ts';
import { routes } from '../../../../src/contract/routes/routes.ts';
import { JOB_ID } from '../../../support/http/fakeFacade.ts';
import {
  type Answer,
  ask,
  openSurface,
  problemIn,
  SESSION_TOKEN,
  type Surface,
  TOKEN,
  WITH_TOKEN,
} from '../../../support/http/httpSurface.ts';
import { MemoryLogins } from '../../../support/http/memoryLogins.ts';
import { SimulatedClock } from '../../../support/charts/simulatedClock.ts';

const test = suite('http access');

const DAY_MS = 24 * 60 * 60_000;
const JSON_TYPE = { 'Content-Type': 'application/json' };
const SUB_RUNS = '/jobs/:jobId/sub-runs';
const CHILDREN = ['skip', 'rerun', 'cancel', 'abandon', 'resume', 'start'].map(
  (a) => `POST /jobs/:jobId/children/:name/${a}`,
);
const PR = '/forges/local/repos/:slug/prs/:n';
const CHAT = '/intake/sessions/:sessionId';
const JOB_PR = '/jobs/:jobId/pull-requests/:prId';

/**
 * Every route with what it requires of its caller. A new route is added here deliberately.
 */
const CLASSES: Readonly<Record<string, readonly string[]>> = {
  own: ['POST /webhooks/:pluginId'],
  basic: ['GET /health'],
  scrape: ['GET /metrics'],
  read: [
    'GET /gc',
    'GET /workflows',
    'GET /notifications/channels',
    'GET /openapi.json',
    'GET /jobs/stream',
    'GET /jobs/:jobId/stream',
    'GET /jobs',
    'GET /jobs/:jobId',
    ...[
      'artifacts/:artifactId/content',
      'insights',
      'messages',
      'sub-runs',
      'why',
      'machine',
      'journal',
      'mcp-servers',
      'reviews',
      'log',
      'log.txt',
      'log/search',
      'timeline',
      'since-success',
    ].map((part) => `GET /jobs/:jobId/${part}`),
    `GET ${JOB_PR}/picture`,
    'GET /jobs/counts',
    'GET /statistics',
    'GET /workflows/runs',
    'GET /budgets',
    'GET /report',
    'GET /costs',
    'GET /accounts',
    'GET /guardrails',
    'GET /guardrails/decisions',
    'GET /decisions',
    'GET /decisions/track-record',
    'GET /insights',
    'GET /proposals',
    'GET /proposals/:proposalId',
    'GET /machines',
    'GET /forges',
    'GET /forges/local/repos',
    'GET /forges/local/repos/:slug/prs',
    `GET ${PR}`,
    `GET ${PR}/diff`,
    'GET /triggers',
    'GET /schedules',
    'GET /audit',
    'GET /plugins',
    'GET /plugins/:pluginId/jobs',
    'GET /config',
    'GET /config/schema',
    'GET /config/inherited-mcps',
    'GET /config/vendor/login/status',
    'GET /trust',
    'GET /intelligence/layers',
    'GET /intelligence/file',
    'GET /intelligence/merged',
    'GET /intelligence/history',
    'GET /intelligence/version',
    'GET /intake/sessions',
    `GET ${CHAT}`,
    `GET ${CHAT}/stream`,
    `GET ${CHAT}/evidence/:evidenceId`,
  ],
  compute: [
    `POST ${SUB_RUNS}/:name/what-if`,
    'POST /jobs/:jobId/what-if',
    'POST /workflows/lint',
    'POST /intelligence/preflight',
    'POST /workflows/simulate',
    'POST /config/plugins/:pluginId/auth/detect',
  ],
  write: [
    // These make the runner use its credentials at a forge.
    `GET ${JOB_PR}`,
    `GET ${JOB_PR}/diff`,
    ...['review', 'approve-in-svc', 'threads/:threadId/resolve', 'threads/:threadId/unresolve'].map(
      (part) => `POST ${JOB_PR}/${part}`,
    ),
    'POST /backup',
    'POST /gc',
    'POST /runner/leave-team',
    'POST /runner/restart',
    'POST /runner/stop',
    'POST /decisions/label',
    'POST /decisions/replay',
    'POST /jobs',
    'POST /jobs/estimate',
    'DELETE /jobs/:jobId/insights/:insightId',
    'POST /jobs/:jobId/insights/:insightId/promote',
    ...[
      'resume',
      'cancel',
      'pause',
      'message',
      'dismiss',
      'undismiss',
      'snooze',
      'unsnooze',
      'phases/:phase/rerun',
    ].map((part) => `POST /jobs/:jobId/${part}`),
    ...['skip', 'unskip', 'rerun', 'cancel'].map((action) => `POST ${SUB_RUNS}/:name/${action}`),
    ...CHILDREN,
    ...['approve', 'comment', 'merge', 'close', 'reopen'].map((action) => `POST ${PR}/${action}`),
    'POST /plugins/install',
    'DELETE /plugins/:pluginId',
    'POST /plugins/:pluginId/healthcheck',
    'POST /test/plugin/:pluginId',
    // Runs a program of the plugin, which asks its service with its key.
    'GET /plugins/:pluginId/models',
    'POST /config/plugins/:pluginId/auth/detect/apply',
    ...['login/start', 'login/callback', 'generate-oauth-token'].map(
      (part) => `POST /config/vendor/${part}`,
    ),
    'DELETE /config/vendor/login',
    'PUT /budgets/:scope',
    'PUT /config',
    'POST /accounts/retry',
    'POST /jobs/:jobId/guardrails/allow',
    'POST /guardrails/dry-run',
    'POST /proposals/:proposalId/approve',
    'POST /proposals/:proposalId/reject',
    'POST /proposals/:proposalId/apply',
    'POST /schedules/:scheduleName/run',
    'POST /schedules/:scheduleName/resume',
    'POST /stop-all',
    // Starts programs, to ask for their versions.
    'GET /setup',
    ...['complete', 'skip/:step', ':step'].map((part) => `POST /setup/${part}`),
    'POST /trust',
    'DELETE /trust/:slug',
    'PUT /intelligence/file',
    'DELETE /intelligence/file',
    // Asks a model.
    'POST /intake/stream',
    `PUT ${CHAT}`,
    `DELETE ${CHAT}`,
    `POST ${CHAT}/stop`,
    // These may make the runner use its credentials at a forge.
    `POST ${CHAT}/citations`,
    `GET ${CHAT}/file`,
    `POST ${CHAT}/pin`,
    'POST /logins',
    'POST /logout',
    'POST /notifications/channels/:channel/test',
    'POST /notifications/push-key',
    'POST /notifications/channels/:channel/browsers',
    'DELETE /notifications/channels/:channel/browsers/:browserId',
    'DELETE /logins',
  ],
};

const VALUES: Readonly<Record<string, string>> = {
  jobId: JOB_ID,
  n: '1',
  name: 'api',
  slug: 'shop',
  pluginId: 'hello',
  channel: 'team',
  browserId: '0'.repeat(32),
};

/** One request without a credential for each route of a class: what it answers. */
async function requestStatuses(
  surface: Surface,
  access: string,
  headers: Record<string, string> = {},
): Promise<Map<string, number>> {
  const statuses = new Map<string, number>();
  for (const { method, path } of routes.filter((route) => route.access === access)) {
    if (path.endsWith('/stream')) continue;
    const filledPath = path.replace(/:([a-zA-Z]+)/g, (_, name: string) => VALUES[name] ?? 'x');
    const body = method === 'GET' || method === 'DELETE' ? {} : { body: '{}' };
    const { status } = await ask(surface, filledPath, {
      method,
      anonymous: true,
      headers: { ...JSON_TYPE, ...headers },
      ...body,
    });
    statuses.set(`${method} ${path}`, status);
  }
  return statuses;
}

const only = (statuses: Map<string, number>, status: number): string[] =>
  [...statuses].flatMap(([route, got]) => (got === status ? [route] : []));

interface Browser {
  cookie: string;
  pageKey: string;
}

const pickBrowser = ({ headers }: Answer): Browser => ({
  cookie: headers['set-cookie']?.[0]?.split(';')[0] ?? '',
  pageKey: headers.location?.split('#login=')[1] ?? '',
});

/** A browser that has followed a link. */
const logIn = async (surface: Surface): Promise<Browser> =>
  pickBrowser(await ask(surface, `/login/${surface.issueLoginCode()}`));

const reads = async (surface: Surface, { cookie }: Pick<Browser, 'cookie'>): Promise<number> =>
  (await ask(surface, '/jobs', { headers: { Cookie: cookie } })).status;

const writes = async (surface: Surface, headers: Record<string, string>): Promise<number> =>
  (await ask(surface, `/jobs/${JOB_ID}/pause`, { method: 'POST', anonymous: true, headers }))
    .status;

test('every route says what it asks of its caller, and none is forgotten', () => {
  const actual: Record<string, string[]> = {};
  for (const { access, method, path } of routes)
    actual[access] = [...(actual[access] ?? []), `${method} ${path}`].sort();
  assert.equal(
    actual,
    Object.fromEntries(Object.entries(CLASSES).map(([access, list]) => [access, [...list].sort()])),
  );
});

test('auto on loopback: a caller without a credential reads and computes, and changes nothing', async () => {
  await using surface = await openSurface();
  for (const access of ['basic', 'read', 'compute'])
    assert.equal(only(await requestStatuses(surface, access), 401), [], access);
  const before = [
    surface.runner,
    surface.plugins,
    surface.config,
    surface.trust,
    surface.setUp,
  ].map(({ calls }) => calls.length);
  const refused = await requestStatuses(surface, 'write');
  assert.equal(only(refused, 401), [...refused.keys()]);
  assert.equal(
    [surface.runner, surface.plugins, surface.config, surface.trust, surface.setUp].map(
      ({ calls }) => calls.length,
    ),
    before,
  );
});

test('the refusal comes before the body is read, and says what to do', async () => {
  await using surface = await openSurface();
  const answer = await ask(surface, '/jobs', {
    method: 'POST',
    anonymous: true,
    headers: JSON_TYPE,
    body: '{ "no": json',
  });
  assert.is(problemIn(answer).code, 'unauthorized');
  assert.is(answer.headers['www-authenticate'], 'Bearer realm="svc"');
  assert.match(String(problemIn(answer).detail), /runner\.token.*svc open/);
});

test('the token and a complete login change something; a wrong token does not, even beside a login', async () => {
  await using surface = await openSurface();
  const { cookie, pageKey } = await logIn(surface);
  const complete = { Cookie: cookie, 'X-Svc-Page-Key': pageKey };
  assert.equal(await writes(surface, WITH_TOKEN), 200);
  assert.equal(await writes(surface, complete), 200);
  assert.equal(await writes(surface, { ...complete, Authorization: 'Bearer wrong' }), 401);
  assert.equal(await writes(surface, { Authorization: `Basic ${TOKEN}` }), 401);
  assert.equal(await writes(surface, { Authorization: `bearer ${TOKEN}` }), 200);
});

test("the token of an agent's session changes nothing, and is not sent after the runner's (API-4)", async () => {
  await using surface = await openSurface();
  const headers = { Authorization: `Bearer ${SESSION_TOKEN}` };
  const statuses = await requestStatuses(surface, 'write', headers);
  assert.equal(only(statuses, 403).length, statuses.size);
  const answer = await ask(surface, '/config', { method: 'PUT', anonymous: true, headers });
  assert.match(String(problemIn(answer).detail), /^This is the token of an agent's session/);
});

test('with required everything but deliveries, login links and tool servers needs a credential; with off nothing does', async () => {
  await using closed = await openSurface({ auth: 'required' });
  for (const access of ['basic', 'read', 'compute', 'write']) {
    const statuses = await requestStatuses(closed, access);
    assert.equal(only(statuses, 401), [...statuses.keys()], access);
  }
  assert.is((await ask(closed, '/dashboard/')).status, 401);
  assert.is((await ask(closed, '/jobs', { headers: WITH_TOKEN })).status, 200);
  await using open = await openSurface({ auth: 'off' });
  for (const access of ['basic', 'read', 'compute', 'write'])
    assert.equal(only(await requestStatuses(open, access), 401), [], access);
});

test('while deliveries are taken reading needs a credential too, but for signs of life and the files of the dashboard', async () => {
  await using surface = await openSurface({ webhooks: true });
  for (const access of ['read', 'compute', 'write']) {
    const statuses = await requestStatuses(surface, access);
    assert.equal(only(statuses, 401), [...statuses.keys()], access);
  }
  assert.is((await ask(surface, '/health')).status, 200);
  assert.is((await ask(surface, '/dashboard/')).status, 404);
  assert.is(await reads(surface, await logIn(surface)), 200);
});

test('a link logs a browser in once: a cookie that scripts cannot read, and a key that goes to the page alone', async () => {
  await using surface = await openSurface({ auth: 'required' });
  const code = surface.issueLoginCode();
  assert.is((await ask(surface, `/login/${code}`, { method: 'HEAD' })).status, 405);
  const first = await ask(surface, `/login/${code}`);
  assert.is(first.status, 302);
  assert.match(String(first.headers.location), /^\/dashboard\/#login=[\w-]+$/);
  assert.match(
    String(first.headers['set-cookie']),
    new RegExp(
      `^svc_login_${surface.port}=[\\w-]+; path=/; expires=[^;]+; samesite=strict; httponly$`,
    ),
  );
  const { cookie, pageKey } = pickBrowser(first);
  assert.not.match(cookie, pageKey);
  assert.is(first.text, '');
  const second = await ask(surface, `/login/${code}`);
  assert.equal(second.status, 401);
  assert.equal(second.headers['set-cookie'], undefined);
  assert.is(await reads(surface, { cookie }), 200);
  assert.not.match(
    JSON.stringify([surface.logged, [...surface.logins.rows]]),
    new RegExp(`${code}|${pageKey}|${cookie.split('=')[1]}`),
  );
});

test('no cookie holds the token, and one of an earlier release is cleared and counts for nothing', async () => {
  await using surface = await openSurface({ auth: 'required' });
  const { cookie } = await logIn(surface);
  assert.not.match(cookie, TOKEN);
  const old = await ask(surface, '/jobs', { headers: { Cookie: `svc_token=${TOKEN}` } });
  assert.is(old.status, 401);
  assert.match(String(old.headers['set-cookie']), /^svc_token=; path=\/; expires=Thu, 01 Jan 1970/);
});

test('what another port of the host receives, the cookie, changes nothing and is no bearer token', async () => {
  await using surface = await openSurface();
  const { cookie } = await logIn(surface);
  const { pageKey: other } = await logIn(surface);
  const value = cookie.split('=')[1];
  assert.equal(await writes(surface, { Cookie: cookie }), 401);
  assert.equal(await writes(surface, { Cookie: cookie, 'X-Svc-Page-Key': other }), 401);
  assert.equal(await writes(surface, { Cookie: cookie, 'X-Svc-Page-Key': String(value) }), 401);
  assert.equal(await writes(surface, { Authorization: `Bearer ${value}` }), 401);
  const models = await ask(surface, '/plugins/hello/models', { headers: { Cookie: cookie } });
  assert.is(models.status, 200);
});

test('a cookie of the same name that another port has set does not put the login out', async () => {
  await using surface = await openSurface({ auth: 'required' });
  const { cookie } = await logIn(surface);
  const name = cookie.split('=')[0];
  assert.is(await reads(surface, { cookie: `${name}=planted; ${cookie}` }), 200);
});

test('a login lasts thirty days from its last use and outlives a restart', async () => {
  const logins = new MemoryLogins();
  let cookie = '';
  {
    await using surface = await openSurface({ auth: 'required', logins });
    ({ cookie } = await logIn(surface));
    surface.clock.advance(29 * DAY_MS);
    const used = await ask(surface, '/jobs', { headers: { Cookie: cookie } });
    assert.is(used.status, 200);
    assert.match(
      String(used.headers['set-cookie']),
      cookie,
      'the browser keeps the cookie for longer',
    );
    surface.clock.advance(29 * DAY_MS);
    assert.is(await reads(surface, { cookie }), 200);
  }
  await using again = await openSurface({
    auth: 'required',
    logins,
    port: Number(/svc_login_(\d+)/.exec(cookie)?.[1]),
  });
  again.clock.advance(58 * DAY_MS);
  assert.is(await reads(again, { cookie }), 200);
  again.clock.advance(30 * DAY_MS);
  assert.is(await reads(again, { cookie }), 401);
});

test('a link is too old after ten minutes, and of many that are open the oldest goes', async () => {
  await using surface = await openSurface({ auth: 'required' });
  const code = surface.issueLoginCode();
  surface.clock.advance(10 * 60_000);
  assert.is((await ask(surface, `/login/${code}`)).status, 401);
  let next = 0;
  const codes = new LoginCodes(
    { next: () => '', secret: () => `code-${++next}` },
    new SimulatedClock(),
  );
  for (let n = 0; n < 17; n++) codes.issue();
  assert.equal(codes.redeem('code-1'), false);
  assert.equal(codes.redeem('code-2'), true);
});

test('logins are bounded: the one that was not used for longest goes, and a browser has one', async () => {
  await using surface = await openSurface({ auth: 'required' });
  const first = await logIn(surface);
  for (let n = 1; n < MAX_LOGINS; n++) {
    surface.clock.advance(1);
    await logIn(surface);
  }
  assert.equal(surface.logins.rows.size, MAX_LOGINS);
  assert.equal(await reads(surface, first), 200);
  surface.clock.advance(1);
  const last = await logIn(surface);
  assert.equal(surface.logins.rows.size, MAX_LOGINS);
  assert.equal(await reads(surface, first), 401);
  assert.equal(await reads(surface, last), 200);
  const again = pickBrowser(
    await ask(surface, `/login/${surface.issueLoginCode()}`, { headers: { Cookie: last.cookie } }),
  );
  assert.equal(surface.logins.rows.size, MAX_LOGINS);
  assert.equal(await reads(surface, last), 401);
  assert.equal(await reads(surface, again), 200);
});

test('POST /logins makes a link for who has the token, not for a login; POST /logout ends one login, DELETE /logins all', async () => {
  await using surface = await openSurface({ auth: 'required' });
  const reply = await ask(surface, '/logins', { method: 'POST' });
  const { path, expiresAt } = Object(reply.json);
  assert.equal(reply.status, 201);
  assert.equal(expiresAt, new Date(surface.clock.now() + 10 * 60_000).toISOString());
  const one = pickBrowser(await ask(surface, path));
  const complete = { Cookie: one.cookie, 'X-Svc-Page-Key': one.pageKey };
  assert.is(
    problemIn(await ask(surface, '/logins', { method: 'POST', headers: complete })).code,
    'forbidden',
  );
  const other = await logIn(surface);
  const out = await ask(surface, '/logout', { method: 'POST', headers: complete });
  assert.is(out.status, 204);
  assert.match(
    String(out.headers['set-cookie']),
    /^svc_login_\d+=; path=\/; expires=Thu, 01 Jan 1970/,
  );
  assert.equal(await reads(surface, one), 401);
  assert.equal(await reads(surface, other), 200);
  assert.equal((await ask(surface, '/logins', { method: 'DELETE' })).json, { ended: 1 });
  assert.is(await reads(surface, other), 401);
});

test('a dashboard page gets its key by the same link as JSON, without leaving the page', async () => {
  await using surface = await openSurface({ auth: 'required' });
  const answer = await ask(surface, `/login/${surface.issueLoginCode()}`, {
    headers: { Accept: 'application/json' },
  });
  const cookie = pickBrowser(answer).cookie;
  assert.is(
    await writes(surface, { Cookie: cookie, 'X-Svc-Page-Key': Object(answer.json).pageKey }),
    200,
  );
});

test('a person who opens the dashboard without a login, or a link that is used up, reads what to do', async () => {
  await using surface = await openSurface({ auth: 'required' });
  for (const path of ['/dashboard/', '/', '/login/used']) {
    const { status, headers, text } = await ask(surface, path, {
      headers: { Accept: 'text/html,application/xhtml+xml' },
    });
    assert.equal(status, 401, path);
    assert.equal(headers['content-type'], 'text/html; charset=utf-8', path);
    assert.match(text, 'Run <code>svc open</code>');
  }
});

test.run();

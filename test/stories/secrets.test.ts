import { once } from 'node:events';
import { createServer } from 'node:http';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FULL_CONFIG, SECRETS } from '../support/fullConfig.ts';
import { type Story, story } from '../support/story.ts';

const test = suite('stories: secrets');

const WORKFLOW = `
initial_phase: work
initial_status: working
phases:
  - { name: work, agent: agents/worker.md, status: working }
  - { name: awaiting-merge, agent: null, status: awaiting-pr-merge }
`;

/**
 * Writes its input where nothing is screened, then prints everything that it can read of the
 * runner.
 */
const WORKER = `
const file = (path) => { try { return readFileSync(path, 'utf8'); } catch (error) { return String(error); } };
writeFileSync('evidence.txt', JSON.stringify({ env: process.env, argv: process.argv, cmdline: file('/proc/self/cmdline') }));
const config = file('../../../config.json');
const everything = [config, file('../../../runner.token'), file('/proc/' + JSON.parse(file('../../../runner.json')).pid + '/environ')];
for (const line of everything.join('\\n').split(/[\\n\\0]/)) console.log(line);
console.error(JSON.stringify(JSON.parse(config).plugins));
tool('add_insight', { category: 'a', text: config.slice(0, 3000) });
git('switch', '-q', '-c', 'change');
git('add', '--all');
git('commit', '-q', '-m', 'what an agent sees');
const pr = tool('local_create_pr', { head: 'change', title: 'A change' });
tool('await_event', { prId: pr.prId });
`;

/** Of the runner's own environment. */
const ENVIRONMENT = {
  SVC_TOKEN: 'canary-env-svc-token',
  SVC_DECISION_API_KEY: 'canary-env-decision-key',
  LEGACY_API_KEY: 'canary-env-legacy-key',
  ANTHROPIC_API_KEY: 'canary-env-anthropic-key',
  GITHUB_TOKEN: 'canary-env-github-token',
};

/**
 * Variables that svc has no use for: it keeps them from agents, and cannot know them to be secret
 * where an agent reads them by itself.
 */
const FOREIGN = ['canary-env-anthropic-key', 'canary-env-github-token'];
/**
 * Secrets under names that say nothing (`list`): they are hidden where they are shown, but
 * not known in other texts.
 */
const NAMELESS = ['canary-plugin-nested'];

const ADDED = 'canary-added-by-put';

const { plugins, git, tracker, guardrails, mcpServers, cloud, decision } = FULL_CONFIG;
/** Without rules: nothing is sent to the addresses of its channels. */
const notifications = { ...Object(FULL_CONFIG.notifications), rules: [] };
const config = {
  plugins,
  git,
  tracker,
  guardrails,
  mcpServers,
  cloud,
  decision,
  notifications,
};
/** What is in the file of this story. */
const STORED = SECRETS.filter((secret) => JSON.stringify(config).includes(secret));

/** Names of those that the text holds. */
const foundIn = (text: string, canaries: readonly string[]): string[] =>
  canaries.filter((canary) => text.includes(canary));

/** All bytes below a folder, as text. */
function bytesBelow(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile())
    .map((path) => readFileSync(path, 'latin1'))
    .join('\n');
}

const ROUTES = (job: string): string[] => [
  '/health',
  '/config',
  '/workflows',
  '/openapi.json',
  '/plugins',
  '/jobs',
  ...['', '/stream', '/insights', '/why', '/machine', '/journal'].map(
    (part) => `/jobs/${job}${part}`,
  ),
  ...['', '/repo/prs', '/repo/prs/1', '/repo/prs/1/diff'].map(
    (part) => `/forges/local/repos${part}`,
  ),
  '/nothing/here',
  `/jobs/${job}/artifacts/none/content`,
];

/** Status, headers and body of a reply, whatever it is. */
async function reply(it: Story, path: string, init: RequestInit = {}): Promise<string> {
  const headers = {
    authorization: `Bearer ${it.runner.token}`,
    'content-type': 'application/json',
    ...init.headers,
  };
  const response = await fetch(`${it.runner.url}${path}`, { ...init, headers });
  return `${response.status} ${JSON.stringify([...response.headers])} ${await response.text()}`;
}

/** Changes that are refused in different ways, each with a secret in it. */
const refusals = (it: Story): Promise<string>[] => {
  const put = (body: string, headers: Record<string, string> = { 'if-match': '*' }) =>
    reply(it, '/config', { method: 'PUT', body, headers });
  return [
    put(`{ "cloud": { "token": "${ADDED}" `),
    put(`{ "cloud": { "token": ["${ADDED}"] } }`),
    put(`{ "cloud": { "tokn": "${ADDED}" } }`),
    put(`{ "cloud": { "token": "${ADDED}" } }`, { 'if-match': '"old"' }),
    reply(it, '/config', {
      method: 'PUT',
      body: `token=${ADDED}`,
      headers: { 'content-type': 'text/plain' },
    }),
  ];
};

async function wholeStory(it: Story): Promise<void> {
  assert.equal(STORED.length, SECRETS.length - 1);
  const refused = (await Promise.all(refusals(it))).join('\n');
  assert.equal((refused.match(/^\d+/gm) ?? []).sort(), ['400', '412', '415', '422', '422']);
  assert.equal(foundIn(refused, [ADDED]), []);
  const { etag } = await it.client.config();
  await it.client.updateConfig({ cloud: { token: ADDED } }, etag);
  const canaries = [...STORED, ADDED, ...Object.values(ENVIRONMENT), it.runner.token];
  const known = canaries.filter(
    (canary) => !FOREIGN.includes(canary) && !NAMELESS.includes(canary),
  );

  const job = await it.job();
  await it.until(job, ({ parked }) => parked?.kind === 'event');
  await it.client.cancel(job);
  await it.until(job, ({ ended }) => ended);
  const log = (await it.log(job)).join('\n');
  // The agent did read and say it all.
  assert.ok(
    log.includes('"provider": "other"') || log.includes('"provider":"other"'),
    log.slice(0, 2000),
  );
  assert.ok(log.includes('[secret]'));

  const replies = await Promise.all(ROUTES(job).map((path) => reply(it, path)));
  assert.equal(
    ROUTES(job).flatMap((path, index) =>
      foundIn(replies[index] ?? '', known).map((canary) => `${path}: ${canary}`),
    ),
    [],
  );
  assert.equal(foundIn(await reply(it, '/config'), canaries), []);
  assert.equal((await it.client.health()).mode, 'hybrid');

  const checkout = bytesBelow(join(it.home, 'work'));
  assert.match(checkout, '"argv":');
  assert.equal(
    foundIn(checkout, canaries),
    [],
    'in the environment, the arguments or the files of the agent',
  );
  assert.equal(foundIn(bytesBelow(it.repository), canaries), [], 'in the repository');
  const cmdline = readFileSync(`/proc/${it.runner.pid}/cmdline`, 'utf8');
  assert.equal(foundIn(cmdline, canaries), [], 'in the arguments of the runner');

  await it.runner.stop();
  assert.equal(foundIn(it.runner.said, canaries), [], 'in the log of the runner');
  const state = readdirSync(it.home).filter(
    (name) => name.startsWith('state.db') || name === 'blobs',
  );
  const contents = state.map((name) =>
    name === 'blobs'
      ? bytesBelow(join(it.home, name))
      : readFileSync(join(it.home, name), 'latin1'),
  );
  assert.equal(
    foundIn(contents.join('\n'), known),
    [],
    'in the journal, the frames or the artefacts',
  );

  const file = readFileSync(join(it.home, 'config.json'), 'utf8');
  assert.equal(foundIn(file, [...STORED, ADDED]), [
    ...STORED.filter((secret) => secret !== 'canary-cloud-token'),
    ADDED,
  ]);
  assert.is(statSync(join(it.home, 'config.json')).mode & 0o777, 0o600);
}

test('canaries in config, environment and token are in no log, stream, journal, reply, error, argument, environment or checkout (CFG-1 HTTP-5)', async () => {
  Object.assign(process.env, ENVIRONMENT);
  // A control plane that keeps no log of this home: without one the runner waits for it.
  const server = createServer((_, response) => {
    response.writeHead(404, { 'content-type': 'application/problem+json' });
    response.end(JSON.stringify({ code: 'not-found', detail: 'There is no log.' }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = Object(server.address());
  const own: Record<string, unknown> = Object(cloud);
  const url = String(own.url).replace(':1/', `:${port}/`);
  try {
    await story(
      {
        workflow: WORKFLOW,
        programs: { worker: WORKER },
        config: { ...config, cloud: { ...own, url } },
      },
      wholeStory,
    )();
  } finally {
    server.close();
  }
});

test.run();

import { readdirSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  answerUsually,
  type HttpToolServer,
  openHttpServer,
} from '../support/toolServers/httpServer.ts';
import { Story } from '../support/story.ts';

const SERVER_TOKEN = 'canary-of-a-tool-server';

const WORKFLOW = `
initial_phase: checking
phases:
  - { name: checking, agent: agents/check.md, status: testing, tools: [log, read, add_insight, mcp__docs__search, mcp__own] }
`;

/** Says what of its session it can see, with the secret of the server in it. */
const CHECK = `
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
const file = JSON.parse(readFileSync(process.env.SVC_SESSION_DIR + '/mcp.json', 'utf8'));
const { docs, own } = file.mcpServers;
const tool = (name, args) => spawnSync('svc', ['tool', name, JSON.stringify(args)], { encoding: 'utf8' });
tool('add_insight', { category: 'servers', text: JSON.stringify({ docs, own, ids: Object.keys(file.mcpServers) }) });
console.log('goto: ' + tool('goto_phase', { phase: 'checking' }).stderr.trim());
const ask = async (id, method, params) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
  const headers = { ...own.headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const reply = await fetch(own.url, { method: 'POST', headers, body });
  const text = await reply.text();
  return JSON.parse(text.slice(text.indexOf('{'))).result;
};
await ask(1, 'initialize', { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'check', version: '1' } });
console.log('tools: ' + (await ask(2, 'tools/list', {})).tools.map(({ name }) => name).join(' '));
console.log('found: ' + (await ask(3, 'tools/call', { name: 'find', arguments: { at: 1 } })).content[0].text);
console.log('VERSION 1');
`;

/** A tool server over stdio whose first line is no message. */
const OWN_SERVER = `
console.log('Welcome!');
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined) return;
  const hello = { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'own', version: '1' } };
  const tools = [{ name: 'find', inputSchema: { type: 'object' } }, { name: 'broken', inputSchema: {} }];
  const answer = { content: [{ type: 'text', text: 'find' + JSON.stringify(params.arguments) }] };
  const result = { initialize: hello, 'tools/list': { tools }, 'tools/call': answer }[method];
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
});`;

const test = suite<{ story: Story; docs: HttpToolServer }>('stories: trust');

test.before.each(async (context) => {
  context.docs = await openHttpServer((posted, res) => answerUsually(posted, res));
  context.story = new Story({
    workflow: WORKFLOW,
    programs: {},
    config: {
      tenant: { overlay: { kind: 'none' } },
      coachMode: { enabled: false },
      mcpServers: {
        docs: {
          type: 'http',
          url: context.docs.url,
          headers: { Authorization: `Bearer ${SERVER_TOKEN}` },
          allowedTools: ['search', 'delete'],
          disallowedTools: ['purge'],
        },
        other: { type: 'stdio', command: 'other-server' },
      },
    },
  });
  const { story } = context;
  const work = `${story.dir}/work`;
  story.write(`${work}/.svc/workflows/story.md`, `---\n${WORKFLOW.trim()}\n---\n\nA story.\n`);
  story.write(
    `${work}/.svc/agents/check.md`,
    "---\ncommand: [node, '{layer}/check.mjs']\n---\nCheck.\n",
  );
  story.write(`${work}/.svc/check.mjs`, CHECK);
  story.write(
    `${work}/.mcp.json`,
    JSON.stringify({ mcpServers: { own: { command: 'node', args: ['own.cjs', '--all'] } } }),
  );
  story.write(`${work}/own.cjs`, OWN_SERVER);
  publish(story);
  await story.runner.start();
});
test.after.each(async ({ story, docs }) => {
  await story.end();
  await docs[Symbol.asyncDispose]();
});

function publish(story: Story): void {
  story.git('add', '--all');
  story.git('commit', '--quiet', '-m', 'programs');
  story.git('push', '--quiet', story.repository, 'HEAD:main');
}

const catchRefusal = async (request: Promise<unknown>): Promise<unknown> =>
  request.then(
    () => 'it was taken',
    (error: { code?: unknown }) => error.code,
  );

test('programs and servers of a repository run only once a person has trusted just these (INT-1, TOOL-10)', async ({
  story,
}) => {
  const { client } = story;
  assert.is(await catchRefusal(story.job()), 'workflow-invalid');

  const [untrusted] = await client.trust();
  assert.equal(
    untrusted?.wants.map(({ path, runs }) => [path, runs]),
    [
      ['.mcp.json', ['own: node own.cjs --all']],
      ['.svc/check.mjs', []],
      ['.svc/agents/check.md', ['node {layer}/check.mjs']],
    ],
  );
  assert.is(untrusted?.state, 'untrusted');
  assert.is(
    await catchRefusal(client.addTrust({ repo: 'repo', hash: 'f'.repeat(64) })),
    'conflict',
  );
  assert.is(
    (await client.addTrust({ repo: 'repo', hash: untrusted?.hash ?? '' })).state,
    'trusted',
  );

  const id = await story.job();
  const job = await story.until(id, ({ ended }) => ended);
  const log = await story.log(id);
  assert.is(job.status, 'complete', log.join('\n'));
  assert.ok(
    log.includes('[mcp] 2 servers: docs (config, http), own (repo, stdio)'),
    log.join('\n'),
  );
  // The agent reaches both by way of the runner, and learns neither address nor secret.
  const answers = JSON.parse(job.insights[0]?.text ?? '');
  const createHttpServer = (name: string) => ({
    type: 'http',
    url: `${story.runner.url}${new URL(answers[name].url).pathname}`,
    headers: answers.own.headers,
  });
  assert.equal(answers, {
    docs: createHttpServer('docs'),
    own: createHttpServer('own'),
    ids: ['svc', 'docs', 'own'],
  });
  assert.not.match(JSON.stringify(answers), SERVER_TOKEN);
  assert.match(answers.own.headers.Authorization, /^Bearer \S{40,}$/);
  assert.match(answers.own.url, /\/mcp\/[0-9a-z]+\/own$/);
  assert.ok(
    log.some(
      (line) => line.startsWith('goto: ') && line.includes('This phase has no tool "goto_phase"'),
    ),
    log.join('\n'),
  );
  // A program calls the tools of an odd server by way of the runner.
  assert.ok(log.includes('tools: find'), log.join('\n'));
  assert.ok(log.includes('found: find{"at":1}'), log.join('\n'));
  assert.ok(log.includes('VERSION 1'));
  const session = `${story.home}/work/${id}/_sessions/1.1`;
  assert.equal(
    readdirSync(session).sort(),
    ['kickoff.md', 'session.json', 'system.md'],
    'the file with secrets is gone',
  );
  assert.equal(await client.mcpServers(id), {
    servers: [
      {
        id: 'docs',
        origin: 'config',
        transport: 'http',
        allowedTools: ['search'],
        disallowedTools: ['purge'],
      },
      { id: 'own', origin: 'repo', transport: 'stdio', allowedTools: null, disallowedTools: [] },
    ],
    notes: [],
  });

  story.write(`${story.dir}/work/.svc/check.mjs`, "console.log('VERSION 2');\n");
  publish(story);
  const [changed] = await client.trust();
  assert.equal(changed?.state, 'changed');
  assert.equal(
    changed?.wants.map(({ path, since }) => `${path} ${since}`),
    ['.mcp.json same', '.svc/check.mjs changed', '.svc/agents/check.md same'],
  );
  assert.is(await catchRefusal(story.job()), 'workflow-invalid');
  await client.removeTrust('repo');
  assert.is((await client.trust())[0]?.state, 'untrusted');
});

test.run();

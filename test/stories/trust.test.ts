import { readdirSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
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
console.log('encoded ' + Buffer.from('user:' + docs.headers.Authorization.slice(7)).toString('base64'));
console.log('VERSION 1');
`;

const test = suite<{ story: Story }>('stories: trust');

test.before.each(async (context) => {
  context.story = new Story({
    workflow: WORKFLOW,
    programs: {},
    config: {
      tenant: { overlay: { kind: 'none' } },
      coachMode: { enabled: false },
      mcpServers: {
        docs: {
          type: 'http',
          url: 'https://docs.example/mcp',
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
    JSON.stringify({ mcpServers: { own: { command: 'own-server', args: ['--all'] } } }),
  );
  publish(story);
  await story.runner.start();
});
test.after.each(({ story }) => story.end());

function publish(story: Story): void {
  story.git('add', '--all');
  story.git('commit', '--quiet', '-m', 'programs');
  story.git('push', '--quiet', story.repository, 'HEAD:main');
}

const refusalOf = async (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => 'it was taken',
    (error: { code?: unknown }) => error.code,
  );

test('programs and servers of a repository run only once a person has trusted just these (INT-1, TOOL-10)', async ({
  story,
}) => {
  const { client } = story;
  assert.is(await refusalOf(story.job()), 'workflow-invalid');

  const [untrusted] = await client.trust();
  assert.equal(
    untrusted?.wants.map(({ path, runs }) => [path, runs]),
    [
      ['.mcp.json', ['own: own-server --all']],
      ['.svc/check.mjs', []],
      ['.svc/agents/check.md', ['node {layer}/check.mjs']],
    ],
  );
  assert.is(untrusted?.state, 'untrusted');
  assert.is(await refusalOf(client.addTrust({ repo: 'repo', hash: 'f'.repeat(64) })), 'conflict');
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
  assert.equal(JSON.parse(job.insights[0]?.text ?? ''), {
    docs: {
      type: 'http',
      url: 'https://docs.example/mcp',
      headers: { Authorization: '[secret]' },
      allowedTools: ['search'],
      disallowedTools: ['purge'],
    },
    own: { type: 'stdio', command: 'own-server', args: ['--all'], env: {} },
    ids: ['svc', 'docs', 'own'],
  });
  assert.ok(
    log.some(
      (line) => line.startsWith('goto: ') && line.includes('This phase has no tool "goto_phase"'),
    ),
    log.join('\n'),
  );
  assert.ok(log.includes('VERSION 1'));
  assert.match(
    log.find((line) => line.startsWith('encoded ')) ?? '',
    /^encoded \S{0,8}\[secret\]\S{0,4}$/,
  );
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
  assert.is(await refusalOf(story.job()), 'workflow-invalid');
  await client.removeTrust('repo');
  assert.is((await client.trust())[0]?.state, 'untrusted');
});

test.run();

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createServerSource } from '../../../src/workflows/toolServers/serverSource.ts';

const test = suite<{ dir: string; claudeFile: string }>('external tool servers');

test.before.each(async (context) => {
  context.dir = await mkdtemp(join(tmpdir(), 'svc-mcp-'));
  context.claudeFile = join(context.dir, '.claude.json');
});
test.after.each(({ dir }) => rm(dir, { recursive: true, force: true }));

const findSource = (
  claudeFile: string,
  servers: Record<string, unknown>,
  inheritClaude = false,
) => {
  const secrets: string[] = [];
  const source = createServerSource({
    env: {},
    settings: { servers, inheritClaude, claudeFile },
    onSecrets: (values) => void secrets.push(...values),
  });
  return { source, secrets };
};

const listServers = async (
  resolved: Promise<{
    servers: readonly { id: string; origin: string }[];
    notes: readonly string[];
  }>,
) => {
  const { servers, notes } = await resolved;
  return { servers: servers.map(({ id, origin }) => `${id} ${origin}`), notes };
};

test('the servers of the agent host are taken only where that is switched on, and only those of the user (TOOL-10)', async ({
  claudeFile,
}) => {
  await writeFile(
    claudeFile,
    JSON.stringify({
      mcpServers: { gh: { command: 'gh-mcp' } },
      projects: { '/work': { mcpServers: { evil: { command: 'x' } } } },
    }),
  );
  assert.equal(await listServers(findSource(claudeFile, {}).source.resolve([])), {
    servers: [],
    notes: [],
  });
  assert.equal(await listServers(findSource(claudeFile, {}, true).source.resolve([])), {
    servers: ['gh claude'],
    notes: [],
  });
  assert.equal(await listServers(findSource(claudeFile, {}).source.resolveInherited()), {
    servers: ['gh claude'],
    notes: [],
  });
});

test('for one id the configuration wins, then the repository, then the agent host; what is off there stays off', async ({
  claudeFile,
}) => {
  await writeFile(
    claudeFile,
    JSON.stringify({
      mcpServers: {
        a: { command: 'c' },
        b: { command: 'c' },
        c: { command: 'c' },
        off: { command: 'c' },
      },
    }),
  );
  const { source } = findSource(
    claudeFile,
    { a: { type: 'stdio', command: 'own' }, off: { type: 'stdio', command: 'o', enabled: false } },
    true,
  );
  const repo = [
    {
      path: '.mcp.json of the repository',
      text: JSON.stringify({ mcpServers: { a: { command: 'r' }, b: { command: 'old' } } }),
    },
    {
      path: '.svc/mcp.json of the repository',
      text: JSON.stringify({ mcpServers: { b: { url: 'https://b.example' } } }),
    },
  ];
  const { servers, notes } = await source.resolve(repo);
  assert.equal(
    servers.map(({ id, origin, command, url }) => [id, origin, command ?? url]),
    [
      ['a', 'config', 'own'],
      ['b', 'repo', 'https://b.example'],
      ['c', 'claude', 'c'],
    ],
  );
  assert.equal(notes, [
    'the server a of repo was left out: config declares it too',
    'the server b of repo was left out: repo declares it too',
    'the server a of claude was left out: config declares it too',
    'the server b of claude was left out: repo declares it too',
  ]);
});

test('an invalid entry is left out with its reason, hides no other, and none of it is repeated', async ({
  claudeFile,
}) => {
  const mcpServers = {
    good: { type: 'streamable-http', url: 'https://good.example' },
    SVC: { command: 'x' },
    'a b': { command: 'x' },
    empty: {},
    odd: { command: ['hush-hush'] },
    file: { url: 'file:///etc/passwd' },
    sleeping: { command: 'x', disabled: true },
  };
  const read = await findSource(claudeFile, {}).source.resolve([
    { path: 'p', text: JSON.stringify({ mcpServers }) },
  ]);
  assert.equal(await listServers(Promise.resolve(read)), {
    servers: ['good repo'],
    notes: [
      'p: the server "SVC" was left out: the id svc is reserved for the runner',
      'p: the server "a b" was left out: its id may only contain alphanumeric characters, dots, hyphens and underscores',
      'p: the server "empty" was left out: a server of type http needs a url',
      'p: the server "odd" was left out: its command must be string',
      'p: the server "file" was left out: its url must begin with http:// or https://',
    ],
  });
  assert.not.ok(JSON.stringify(read.notes).includes('hush-hush'));
});

test('names of members of every object are names like others, and none vanishes', async ({
  claudeFile,
}) => {
  const text = `{ "__proto__": { "mcpServers": { "hidden": { "command": "x" } } }, "mcpServers": {
    "__proto__": { "command": "x" },
    "constructor": { "command": "x" },
    "odd": { "type": "constructor", "command": "x" },
    "good": { "command": "x", "toString": 1 } } }`;
  const read = findSource(claudeFile, {}).source.resolve([{ path: 'p', text }]);
  assert.equal(await listServers(read), {
    servers: ['constructor repo', 'good repo'],
    notes: [
      'p: the server "__proto__" was left out: its id may only contain alphanumeric characters, dots, hyphens and underscores',
      'p: the server "odd" was left out: its type is not one of stdio, http and sse',
    ],
  });
});

test('brackets that are nested too deeply hide no server beside them, and none of another file', async ({
  claudeFile,
}) => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const good = '"good": { "command": "x" }';
  const read = findSource(claudeFile, {}).source.resolve([
    { path: 'p', text: `{ "mcpServers": { "deep": ${deep}, ${good} } }` },
    { path: 'q', text: '['.repeat(100_000) },
  ]);
  assert.equal(await listServers(read), {
    servers: ['good repo'],
    notes: [
      'q is not valid JSON (its brackets are nested too deeply); its servers were left out',
      'p: the server "deep" was left out: it must be an object with a command or a url',
    ],
  });
});

test('a broken file of the agent host is a note, a missing one is ignored', async ({
  claudeFile,
}) => {
  const { source } = findSource(claudeFile, {}, true);
  assert.equal(await listServers(source.resolve([])), { servers: [], notes: [] });
  await writeFile(claudeFile, '{ not json');
  assert.equal(await listServers(source.resolve([])), {
    servers: [],
    notes: [
      `${claudeFile} is not valid JSON (line 1, column 3: InvalidSymbol); its servers were left out`,
    ],
  });
  await writeFile(claudeFile, '{ "mcpServers": [] }');
  assert.equal(await listServers(source.resolve([])), {
    servers: [],
    notes: [`${claudeFile}: mcpServers is not a map and was left out`],
  });
});

test('the secrets of servers are reported, so that they can be removed from other texts', async ({
  claudeFile,
}) => {
  const { source, secrets } = findSource(claudeFile, {
    one: { type: 'stdio', command: 'x', env: { API_KEY: 'key-of-one', MODE: 'fast' } },
    two: {
      type: 'http',
      url: 'https://u:p%20w@two.example/?t=in-query',
      headers: { Authorization: 'Bearer of-two' },
    },
  });
  await source.resolve([]);
  assert.equal(secrets, ['key-of-one', 'Bearer of-two', 'of-two', 'p w', 'in-query']);
});

test.run();

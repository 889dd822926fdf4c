import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createServerSource } from '../../../src/workflows/toolServers/serverSource.ts';

const test = suite('tool servers: variables of a declaration');

const ENV = {
  API_TOKEN: 'canary-token',
  BASE: 'http://10.0.0.1:8080',
  EMPTY: '',
  SVC_TOKEN: 'own-secret',
};

const resolve = async (
  server: Record<string, unknown>,
  {
    allowedEnv = [],
    config = {},
  }: { allowedEnv?: string[]; config?: Record<string, unknown> } = {},
) => {
  const secrets: string[] = [];
  const source = createServerSource({
    settings: { servers: config, inheritClaude: false, claudeFile: '/nonexistent' },
    env: ENV,
    onSecrets: (values) => void secrets.push(...values),
  });
  const text = JSON.stringify({ mcpServers: { x: server } });
  const result = await source.resolve([{ path: '.mcp.json', text, repo: 'shop', allowedEnv }]);
  return { ...result, server: result.servers[0], secrets };
};

test('an allowed name is expanded in url, headers, command, args and env, and its value is a secret', async () => {
  const http = await resolve(
    { url: `\${BASE}/mcp`, headers: { Authorization: `Bearer \${API_TOKEN}` } },
    { allowedEnv: ['API_TOKEN', 'BASE'] },
  );
  assert.is(http.server?.url, 'http://10.0.0.1:8080/mcp');
  assert.equal(http.server?.headers, { Authorization: 'Bearer canary-token' });
  assert.ok(http.secrets.includes('canary-token'));
  const program = await resolve(
    { command: `\${MCP_BIN:-python3}`, args: ['--at', `\${BASE}`], env: { KEY: `\${API_TOKEN}` } },
    { allowedEnv: ['API_TOKEN', 'BASE', 'MCP_BIN'] },
  );
  assert.is(program.server?.command, 'python3');
  assert.equal(program.server?.args, ['--at', 'http://10.0.0.1:8080']);
  assert.equal(program.server?.env, { KEY: 'canary-token' });
  assert.equal(program.notes, [
    '.mcp.json: the server "x": a variable of the environment is one of its arguments, which all users of the machine can read; env is not',
  ]);
});

test('the configuration can allow names too, and sets the time of the start', async () => {
  const { server } = await resolve(
    { command: 'x', env: { KEY: `\${API_TOKEN}` }, timeout: 5_000 },
    { config: { x: { enabled: true, allowedEnv: ['API_TOKEN'], timeoutMs: 90_000 } } },
  );
  assert.equal(
    [server?.env, server?.timeoutMs, server?.origin],
    [{ KEY: 'canary-token' }, 90_000, 'repo'],
  );
});

for (const [what, server, allowedEnv, why] of [
  [
    'a name that is not allowed',
    { command: 'x', env: { KEY: `\${API_TOKEN}` } },
    [],
    'it needs API_TOKEN from the environment, which is not allowed: run svc trust add shop --env API_TOKEN, or name it in mcpServers.x.allowedEnv of the configuration',
  ],
  [
    'a name that is not set',
    { url: 'https://x.test/', headers: { A: `\${GONE}` } },
    ['GONE'],
    'it needs GONE, which is not set in the environment of the runner: set it where svc is started, then run svc stop and svc start (svc restart keeps the old environment)',
  ],
  [
    'a name that is set and empty',
    { command: `\${EMPTY}` },
    ['EMPTY'],
    'it needs EMPTY, which is not set in the environment of the runner: set it where svc is started, then run svc stop and svc start (svc restart keeps the old environment)',
  ],
  [
    'a name of svc itself, even where it is allowed',
    { command: 'x', env: { KEY: `\${SVC_TOKEN}` } },
    ['SVC_TOKEN'],
    'it uses SVC_TOKEN, which svc uses itself and never passes to a tool server',
  ],
] as const)
  test(`${what} leaves the server out with the reason`, async () => {
    const { servers, unusable, notes, secrets } = await resolve(server, {
      allowedEnv: [...allowedEnv],
    });
    assert.equal([servers, unusable], [[], [{ id: 'x', why }]]);
    assert.equal(notes, [`.mcp.json: the server "x" was left out: ${why}`]);
    assert.not.match(JSON.stringify([notes, secrets]), /canary-token|own-secret/);
  });

test('a default is used for a name that is not set, or not allowed', async () => {
  const server = {
    url: `\${HOST_OF_IT:-http://127.0.0.1:1}/\${BASE:-mcp}`,
    headers: { S: `\${SVC_TOKEN:-none}` },
  };
  const result = await resolve(server, { allowedEnv: ['HOST_OF_IT'] });
  assert.is(result.server?.url, 'http://127.0.0.1:1/mcp');
  assert.equal(result.server?.headers, { S: 'none' });
  assert.match(result.notes.join(), 'it has the default of BASE, SVC_TOKEN');
});

test('names of members and transports of other programs are read', async () => {
  for (const entry of [
    { type: 'streamableHttp', url: 'https://x.test/' },
    { transport: 'http', url: 'https://x.test/' },
    { httpUrl: 'https://x.test/' },
    { serverUrl: 'https://x.test/' },
  ])
    assert.equal((await resolve(entry)).server?.transport, 'http', JSON.stringify(entry));
});

for (const [entry, why] of [
  [{ command: 'x', args: ['a', 5] }, 'its args.1 must be string'],
  [{ command: 'x', env: { PORT: 8080 } }, 'its env.PORT must be string'],
  [
    { type: 'carrier-pigeon', url: 'https://x.test/' },
    'its type is not one of stdio, http and sse',
  ],
  ['npx x', 'it must be an object with a command or a url'],
] as const)
  test(`${JSON.stringify(entry)} is left out, and the member is named`, async () => {
    const { unusable } = await resolve(Object(entry));
    assert.equal(unusable, [{ id: 'x', why }]);
  });

test('a time that cannot be in milliseconds is ignored with a line', async () => {
  const { server, notes } = await resolve({ command: 'x', timeout: 60 });
  assert.is(server?.timeoutMs, undefined);
  assert.match(notes.join(), 'its timeout of 60 is ignored');
});

test.run();

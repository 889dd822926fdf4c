import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { McpServer } from '../../../src/contract/schema/session/mcpServer.ts';
import { isAlive } from '../../support/agents/sessionRequest.ts';
import { builtinSubject } from '../../support/agents/executorContract/builtinSubject.ts';
import { openStage, timesAsked } from '../../support/agents/executorContract/stage.ts';

const test = suite('builtin servers');

/**
 * The smallest tool server over stdio: says its environment and what it was called with, and starts
 * a program of its own.
 */
const SERVER = `
const { spawn } = require('node:child_process');
const tools = ['find', 'drop', 'guess'].map((name) => ({ name, description: 'Tool ' + name, inputSchema: { type: 'object' } }));
const child = spawn('sleep', ['60']);
require('node:fs').writeFileSync(process.argv[1], process.pid + ' ' + child.pid);
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'own', version: '1' } }),
  'tools/list': () => ({ tools }),
  'tools/call': ({ name, arguments: args }) => ({
    content: [{ type: 'text', text: JSON.stringify({ name, args, env: Object.keys(process.env).sort(), key: process.env.OWN_KEY }) }],
  }),
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method](params) }) + '\\n');
});`;

const server = (overrides: Partial<McpServer>): McpServer => ({
  id: 'own',
  origin: 'config',
  transport: 'stdio',
  command: null,
  args: [],
  env: {},
  url: null,
  headers: {},
  allowedTools: null,
  disallowedTools: [],
  ...overrides,
});

test('an external server gets its own environment, its tools are narrowed, and nothing of it is left (TOOL-10)', async () => {
  await using stage = await openStage(builtinSubject('anthropic'), {
    work: [{ calls: [{ tool: 'mcp__own__find', args: { what: 'x' } }] }, { say: 'Done.' }],
  });
  const pids = join(stage.dir, '..', 'pids');
  const own = server({
    command: process.execPath,
    args: ['-e', SERVER, pids],
    env: { OWN_KEY: 'canary-of-the-server' },
    allowedTools: ['find', 'drop'],
    disallowedTools: ['drop'],
  });
  const missing = server({ id: 'gone', command: 'no-such-program-here' });
  const result = await stage.play({ mcpServers: [own, missing] });
  assert.is(result.stopReason, 'end_turn');
  assert.equal(
    stage.model.requests.played[0]?.offered.filter(
      (name) => !name.startsWith('mcp__svc__') && name.startsWith('mcp__'),
    ),
    ['mcp__own__find'],
  );
  const environment = [...Object.keys(stage.request.env), 'OWN_KEY', 'SVC_MARKER'].sort();
  const reply = JSON.stringify({
    name: 'find',
    args: { what: 'x' },
    env: environment,
    key: '[secret]',
  });
  assert.is(
    timesAsked(stage, JSON.stringify(reply).slice(1, -1)),
    1,
    'the model gets the answer without the secret',
  );
  const transcript = await readFile(join(stage.request.sessionDir, 'transcript.jsonl'), 'utf8');
  assert.not.match(
    JSON.stringify([stage.events, stage.model.requests.all.map(({ body }) => body), transcript]),
    'canary-of-the-server',
  );
  assert.match(
    JSON.stringify(stage.events),
    'The tool server gone is not available, so its tools are missing: ',
  );
  for (const pid of (await readFile(pids, 'utf8')).split(' '))
    assert.is(await isAlive(Number(pid)), false);
});

test('no external server can replace the job’s own tools', async () => {
  await using stage = await openStage(builtinSubject('openai'), {
    work: [
      { calls: [{ svc: 'add_insight', args: { category: 'testing', text: 'Mine.' } }] },
      { say: 'Done.' },
    ],
  });
  const renamed = SERVER.replace("['find', 'drop', 'guess']", "['add_insight']");
  const pids = join(stage.dir, '..', 'pids');
  await stage.play({
    mcpServers: [server({ id: 'svc', command: process.execPath, args: ['-e', renamed, pids] })],
  });
  assert.equal(
    stage.port.sent.map(({ event }) => event.type),
    ['tool.add_insight'],
  );
});

test.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { McpServer } from '../../../src/contract/schema/session/mcpServer.ts';
import { builtinSubject } from '../../support/agents/executorContract/builtinSubject.ts';
import { openStage, type Stage } from '../../support/agents/executorContract/stage.ts';

const test = suite('builtin: tool servers that are not as they should be');

/** A tool server over stdio; its second argument says how it answers `tools/list`. */
const SERVER = `
const list = new Function('cursor', 'n', process.argv[1]);
let n = 0;
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'own', version: '1' } }),
  'tools/list': ({ cursor } = {}) => list(cursor, n++),
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method](params) }) + '\\n');
});`;

const server = (list: string): McpServer => ({
  id: 'own',
  origin: 'config',
  transport: 'stdio',
  command: process.execPath,
  args: ['-e', SERVER, list],
  env: {},
  url: null,
  headers: {},
  allowedTools: null,
  disallowedTools: [],
});

const listOfferedTools = ({ model }: Stage, request = 0): string[] =>
  model.requests.played[request]?.offered.filter((name) => name.startsWith('mcp__own__')) ?? [];
const control = ({ events }: Stage): string[] =>
  events.flatMap((event) =>
    event.type === 'log' && event.stream === 'control' ? [event.line] : [],
  );

const GOOD = `{ name: 'good', inputSchema: { type: 'object' } }`;
const DONE = { work: [{ say: 'Done.' }] };

test('a bad tool is left out with a line, and its neighbours stay', async () => {
  await using stage = await openStage(builtinSubject('anthropic'), DONE);
  const list = `return { tools: [${GOOD}, { name: 'broken', inputSchema: { properties: {} } }, null] }`;
  await stage.play({ mcpServers: [server(list)] });
  assert.equal(listOfferedTools(stage), ['mcp__own__good']);
  assert.equal(control(stage), [
    'The tool server own: tool 2, broken, has no valid input schema: its type must be "object": it is left out.',
    'The tool server own: tool 3 has no name: it is left out.',
  ]);
});

for (const [what, list, says] of [
  [
    'new cursors for ever',
    `return { tools: n ? [] : [${GOOD}], nextCursor: 'c' + n }`,
    /more than 50 pages/,
  ],
  [
    'the same cursor for ever',
    `return { tools: n ? [] : [${GOOD}], nextCursor: 'c' }`,
    /pages of tools repeat/,
  ],
  [
    'two cursors in turn',
    `return { tools: n ? [] : [${GOOD}], nextCursor: 'c' + n % 2 }`,
    /pages of tools repeat/,
  ],
] as const)
  test(`a server with ${what} holds nothing up, and its tools are kept`, async () => {
    await using stage = await openStage(builtinSubject('anthropic'), DONE);
    await stage.play({ mcpServers: [server(list)] });
    assert.equal(listOfferedTools(stage), ['mcp__own__good']);
    assert.match(control(stage).join('\n'), says);
  });

test('a list of tools that is none is a server without tools', async () => {
  await using stage = await openStage(builtinSubject('anthropic'), DONE);
  const { stopReason } = await stage.play({ mcpServers: [server(`return { tools: 'many' }`)] });
  assert.is(stopReason, 'end_turn');
  assert.equal(listOfferedTools(stage), []);
});

for (const api of ['anthropic', 'openai'] as const)
  test(`${api}: a tool that the endpoint refuses is left out, and the request is repeated without it`, async () => {
    const message = "Invalid schema for function 'mcp__own__odd': no";
    await using stage = await openStage(builtinSubject(api), {
      work: [{ say: 'Done.', fail: { status: 400, times: 1, message } }],
    });
    const list = `return { tools: [${GOOD}, { name: 'odd', inputSchema: { type: 'object' } }] }`;
    const { stopReason } = await stage.play({ mcpServers: [server(list)] });
    assert.is(stopReason, 'end_turn');
    const last = stage.model.requests.played.length - 1;
    assert.equal(listOfferedTools(stage, last), ['mcp__own__good']);
    assert.match(
      control(stage).join('\n'),
      /^The tool mcp__own__odd of the tool server own is left out, and the request is repeated without it\./m,
    );
  });

test('a refusal that names no tool of a server ends the session as before', async () => {
  await using stage = await openStage(builtinSubject('anthropic'), {
    work: [{ say: 'Done.', fail: { status: 400, message: 'messages.0: wrong' } }],
  });
  const { stopReason } = await stage.play({ mcpServers: [server(`return { tools: [${GOOD}] }`)] });
  assert.is(stopReason, 'error');
});

test.run();

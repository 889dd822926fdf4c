import { existsSync, mkdtempSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Clock, systemClock } from '../../../src/base/time/clock.ts';
import { createServerConnection } from '../../../src/executors/toolServers/connection/createServerConnection.ts';
import { LostCall } from '../../../src/executors/toolServers/connection/lostCall.ts';
import type { ServerConnection } from '../../../src/executors/toolServers/connection/serverConnection.ts';
import { ToolServerFault } from '../../../src/executors/toolServers/connection/toolServerFault.ts';
import type { McpServer } from '../../../src/contract/schema/session/mcpServer.ts';
import { longLane } from '../../support/longLane.ts';
import { createPressedClock } from '../../support/pressedClock.ts';
import { createDeclaration, stdioServer } from '../../support/toolServers/stdioServer.ts';
import { unscreened } from '../../support/standIns/unscreened.ts';

const test = suite('tool servers: over stdio');
const long = longLane(test);

const ENV = { PATH: process.env.PATH ?? '/usr/bin:/bin' };

async function withStdioServer<T>(
  server: McpServer,
  use: (connection: ServerConnection) => Promise<T>,
  clock: Clock = systemClock,
): Promise<T> {
  const place = { clock, cwd: process.cwd(), env: ENV, screen: unscreened };
  const connection = createServerConnection(server, place);
  try {
    return await use(connection);
  } finally {
    await connection.close();
  }
}

const toolNames = (server: McpServer, clock?: Clock) =>
  withStdioServer(
    server,
    async (connection) => (await connection.tools()).tools.map(({ name }) => name),
    clock,
  );

const callFind = (connection: ServerConnection) =>
  connection.call('find', {}, { signal: new AbortController().signal });

const catchFault = (server: McpServer, clock?: Clock): Promise<ToolServerFault> =>
  withStdioServer(
    server,
    (connection) =>
      connection.tools().then(
        () => Promise.reject(new Error('it was connected')),
        (error: unknown) => {
          assert.instance(error, ToolServerFault);
          return error as ToolServerFault;
        },
      ),
    clock,
  );

test('many calls under one signal leave no listeners at it, of which Node would warn', async () => {
  const warnings: string[] = [];
  const note = ({ name }: Error) => warnings.push(name);
  process.on('warning', note);
  const { signal } = new AbortController();
  try {
    await withStdioServer(stdioServer(''), async (connection) => {
      await connection.tools(signal);
      for (let n = 0; n < 12; n += 1) await connection.call('find', {}, { signal });
    });
    // Warnings are emitted in a later turn.
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off('warning', note);
  }
  assert.equal(warnings, []);
});

/** Time that a server has for its start, ms; it passes where a test lets it. */
const START_MS = 60_000;

const LINE = `(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n')`;
const halves = (head: string) =>
  `answer = (id, result) => { const bytes = Buffer.from(${LINE}); const at = bytes.indexOf(Buffer.from('é')) + 1 || 9; out(bytes.subarray(0, at)); setImmediate(() => out(bytes.subarray(at))); }; ${head}`;

/** Odd from the first line on, in a program each; the others are odd in a call of one program for all. */
const FROM_THE_START = [
  'a banner and an answer in one chunk',
  'ids as texts',
  'no name and no capabilities',
];

const ODD_LINES: readonly (readonly [what: string, script: string])[] = [
  ['a banner and an answer in one chunk', `answer = (id, result) => out('ready\\n' + ${LINE});`],
  ['a banner before the first request', `out('Starting on port 80\\n');`],
  [
    'a banner without a line end before an answer',
    `answer = (id, result) => out('ready> ' + ${LINE});`,
  ],
  [
    'colours around an answer',
    `answer = (id, result) => out('\\x1b[32m' + ${LINE}.trim() + '\\x1b[0m\\n');`,
  ],
  [
    'JSON lines of a log between answers',
    `answer = (id, result) => out('{"level":"info","id":1,"error":"no"}\\n' + ${LINE} + '[1,2]\\n"x"\\nnull\\n');`,
  ],
  [
    'broken JSON before an answer',
    `answer = (id, result) => out('{"jsonrpc":"2.0","id":\\n' + ${LINE});`,
  ],
  ['a byte-order mark', `answer = (id, result) => out('\\ufeff' + ${LINE});`],
  ['NUL characters', `answer = (id, result) => out('\\0\\0' + ${LINE} + '\\0\\n');`],
  ['CRLF', `answer = (id, result) => out(${LINE}.trim() + '\\r\\n');`],
  ['an answer without a line end', `answer = (id, result) => out(${LINE}.trim());`],
  ['answers in batches', `answer = (id, result) => out('[' + ${LINE}.trim() + ']\\n');`],
  [
    'an answer in two chunks, cut within a character',
    halves(
      `list = () => ({ tools: [{ name: 'find', description: 'é', inputSchema: { type: 'object' } }] });`,
    ),
  ],
  [
    'a line of 40 million characters',
    `answer = (id, result) => { out('x'.repeat(40_000_000) + '\\n'); out(${LINE}); };`,
  ],
  [
    'error: null beside each result',
    `answer = (id, result) => send({ jsonrpc: '2.0', id, result, error: null });`,
  ],
  ['ids as texts', `answer = (id, result) => send({ jsonrpc: '2.0', id: String(id), result });`],
  ['no name and no capabilities', `hello = () => ({});`],
  ['capabilities that are null', `hello = () => ({ capabilities: null, serverInfo: null });`],
  [
    'pings before each answer',
    `answer = (id, result) => { send({ jsonrpc: '2.0', id: 'p' + id, method: 'ping' }); send({ jsonrpc: '2.0', id, result }); };`,
  ],
  ['no member jsonrpc', `answer = (id, result) => send({ id, result });`],
  [
    'error: {} beside each result',
    `answer = (id, result) => send({ jsonrpc: '2.0', id, result, error: {} });`,
  ],
  [
    '_meta: null in each result',
    `answer = (id, result) => send({ jsonrpc: '2.0', id, result: { ...result, _meta: null } });`,
  ],
  [
    'NaN, which JSON does not have',
    `answer = (id, result) => out(${LINE}.replace('"result":{', '"result":{"x":NaN,"y":-Infinity,'));`,
  ],
  [
    'a tab within a text',
    `list = () => ({ tools: [{ name: 'find', description: 'a@b', inputSchema: { type: 'object' } }] }); answer = (id, result) => out(${LINE}.replace('a@b', 'a\tb'));`,
  ],
];

for (const [what, script] of ODD_LINES)
  (FROM_THE_START.includes(what) ? test : long)(
    `a server that writes ${what} is understood`,
    async () => {
      assert.equal(await toolNames(stdioServer(script)), ['find']);
    },
  );

/** What one program does in a call, by the name of the tool: a start for each takes longer than all calls. */
const ACTS = new Map<string, string>();
let openActor: ServerConnection | null = null;
test.after(() => openActor?.close());

async function callActor(name: string): Promise<Awaited<ReturnType<typeof callFind>>> {
  if (openActor === null) {
    const acts = [...ACTS].map(([what, act]) => `${JSON.stringify(what)}: ${act}`);
    const script = `const acts = { ${acts.join(', ')} }; call = (name, args, n, id) => acts[name](name, args, n, id);`;
    const place = { clock: systemClock, cwd: process.cwd(), env: ENV, screen: unscreened };
    openActor = createServerConnection(stdioServer(script), place);
    await openActor.tools();
  }
  return openActor.call(name, {}, { signal: new AbortController().signal });
}

for (const [what, script] of ODD_LINES.filter(([, text]) => text.includes('answer = '))) {
  const name = `writes ${what}`;
  const usual = `{ content: [{ type: 'text', text: 'é a@b' }] }`;
  ACTS.set(name, `() => { ${script.replace(/list = .*?\}\); ?/, '')}; return ${usual}; }`);
  (what === 'a line of 40 million characters' ? long : test)(
    `a call of a server that writes ${what} is answered`,
    async () => {
      const text = what === 'a tab within a text' ? 'é a\tb' : 'é a@b';
      assert.equal(await callActor(name), { content: [{ type: 'text', text }], failed: false });
    },
  );
}

test('what is skipped is counted once, with the first line', async () => {
  const noise = await withStdioServer(stdioServer(`out('one\\ntwo\\n');`), async (connection) => {
    await connection.tools();
    return connection.noise;
  });
  assert.is(
    noise,
    '2 lines of its standard output are not messages and were skipped; the first: one',
  );
});

test('a program that ends at the start is quoted, without the secrets it was given', async () => {
  const script = `process.stderr.write('loading\\nAPI_KEY is not set, have ' + process.env.OTHER + '\\n'); process.exit(3);`;
  const { kind, message } = await catchFault(
    stdioServer(script, { env: { OTHER: 'canary-value' } }),
  );
  assert.is(kind, 'server-not-started');
  assert.is(
    message,
    'it ended with exit code 3; its last words: loading\nAPI_KEY is not set, have [secret]',
  );
});

test('a program that does not exist cannot be started', async () => {
  const { kind, message } = await catchFault(createDeclaration({ command: 'no-such-program' }));
  assert.is(kind, 'server-not-started');
  assert.match(message, 'its program cannot be started: spawn no-such-program ENOENT');
});

test('a server that is slow to start has the time that is set, and no more', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'svc-slow-'));
  const [startFile, go] = [join(dir, 'begun'), join(dir, 'go')];
  const late = `
const { existsSync, watch, writeFileSync } = require('node:fs');
process.stderr.write('fetching\\n');
answer = (id, result) => {
  const sendLate = () => existsSync('${go}') && (watched.close(), send({ jsonrpc: '2.0', id, result }));
  const watched = watch('${dir}', sendLate);
  writeFileSync('${startFile}', '');
  sendLate();
};`;
  const isBegun = () =>
    new Promise<void>((resolve) => {
      const watched = watch(dir, () => {
        if (!existsSync(startFile)) return;
        watched.close();
        resolve();
      });
    });
  const server = stdioServer(late, { timeoutMs: START_MS });

  const inTime = createPressedClock(START_MS);
  let begins = isBegun();
  const names = toolNames(server, inTime.clock);
  await begins;
  inTime.advance(START_MS / 2);
  writeFileSync(go, '');
  assert.equal(await names, ['find']);

  for (const file of [startFile, go]) rmSync(file);
  const tooLate = createPressedClock(START_MS);
  begins = isBegun();
  const fault = catchFault(server, tooLate.clock);
  await begins;
  tooLate.advance(START_MS);
  const { kind, message } = await fault;
  assert.is(kind, 'server-away');
  assert.is(
    message,
    'it did not start and list its tools within 60 s (timeoutMs); its last words: fetching',
  );
  rmSync(dir, { recursive: true });
});

test('an unknown version of the protocol is named, and is no end of the program', async () => {
  const { kind, message } = await catchFault(
    stdioServer(`hello = () => ({ protocolVersion: '1999-01-01' });`),
  );
  assert.is(kind, 'server-refused');
  assert.match(message, 'protocol version is not supported: 1999-01-01');
});

test('a program that ends in a call says why, and is started again for the next one', async () => {
  const script = `call = () => { process.stderr.write('out of memory\\n'); process.exit(7); };`;
  await withStdioServer(stdioServer(script), async (connection) => {
    await connection.tools();
    const error = await callFind(connection).catch((thrown: unknown) => thrown);
    assert.instance(error, LostCall);
    assert.is(
      String(Object(error).message),
      'it ended with exit code 7; its last words: out of memory. Whether the call was carried out is unknown.',
    );
    assert.equal((await connection.tools()).tools.length, 1);
  });
});

test('an answer just before the end of the program counts', async () => {
  const script = `call = (name, args, n, id) => { send({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'bye' }] } }); process.exit(0); };`;
  const answer = await withStdioServer(stdioServer(script), async (connection) => {
    await connection.tools();
    return callFind(connection);
  });
  assert.equal(answer, { content: [{ type: 'text', text: 'bye' }], failed: false });
});

test('what a server answers as an error is for the model as it is', async () => {
  const script = `call = (name, args, n, id) => void send({ jsonrpc: '2.0', id, error: { code: -32602, message: 'query is missing' } });`;
  const answer = await withStdioServer(stdioServer(script), async (connection) => {
    await connection.tools();
    return callFind(connection);
  });
  assert.equal(answer, { content: [{ type: 'text', text: 'query is missing' }], failed: true });
});

/** Ends what a row before has made odd. */
const USUALLY = `answer = (id, result) => send({ jsonrpc: '2.0', id, result });`;

for (const [what, result, text] of [
  [
    'a part of an unknown type',
    `{ content: [{ type: 'video', at: 1 }] }`,
    '{"type":"video","at":1}',
  ],
  ['only structured content', `{ structuredContent: { a: 1 } }`, '{"a":1}'],
  ['a text as content', `{ content: 'plain' }`, 'plain'],
  ['nothing', `{}`, '{}'],
] as const) {
  ACTS.set(`is ${what}`, `() => { ${USUALLY} return ${result}; }`);
  test(`an answer that is ${what} is given as text`, async () => {
    assert.equal((await callActor(`is ${what}`)).content, [{ type: 'text', text }]);
  });
}

/** Each of them ends a call that would otherwise wait for ten minutes. */
for (const [what, act, text, failed] of [
  [
    'an error without an id',
    `send({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'bad' } });`,
    'bad',
    true,
  ],
  ['neither a result nor an error', `send({ jsonrpc: '2.0', id });`, '{}', false],
  [
    'an error with details',
    `send({ jsonrpc: '2.0', id, error: { code: -32602, message: 'bad', data: { at: 'query' } } });`,
    'bad\n{"at":"query"}',
    true,
  ],
  ['a text as the result', `send({ jsonrpc: '2.0', id, result: 'plain' });`, 'plain', false],
  [
    'one part instead of a list',
    `return { content: { type: 'text', text: 'one' } };`,
    'one',
    false,
  ],
  [
    'members that are null',
    `return { _meta: null, content: [{ type: 'text', text: 'one', annotations: null, _meta: null }] };`,
    'one',
    false,
  ],
  [
    'a picture of 7 million characters',
    `return { content: [{ type: 'image', mimeType: 'image/png', data: 'A'.repeat(7_000_000) }] };`,
    '[image left out: it has more than 6990508 characters as Base64]',
    false,
  ],
  [
    'more than a line may hold',
    `return { content: [{ type: 'text', text: 'x'.repeat(34_000_000) }] };`,
    'its answer has more than 33554432 characters',
    true,
  ],
] as const) {
  ACTS.set(`has ${what}`, `(name, args, n, id) => { ${USUALLY} ${act} }`);
  (what.includes('million') || what.startsWith('more than') ? long : test)(
    `a call that is answered with ${what} has an answer`,
    async () => {
      assert.equal(await callActor(`has ${what}`), { content: [{ type: 'text', text }], failed });
    },
  );
}

test('an error without an id is that of no call where two are open', async () => {
  const script = `call = (name, args, n, id) => { if (n === 0) return; send({ jsonrpc: '2.0', id: null, error: { code: 1, message: 'bad' } }); for (const one of [id - 1, id]) send({ jsonrpc: '2.0', id: one, result: { content: 'done' } }); };`;
  const answers = await withStdioServer(stdioServer(script), async (connection) => {
    await connection.tools();
    return Promise.all([callFind(connection), callFind(connection)]);
  });
  assert.equal(
    answers.map(({ failed }) => failed),
    [false, false],
  );
});

test('a server that closes its output is at its end, although its program runs', async () => {
  const { kind, message } = await catchFault(
    stdioServer(
      `answer = () => {}; require('node:fs').closeSync(1); setInterval(() => {}, 1_000);`,
    ),
  );
  assert.is(kind, 'server-not-started');
  assert.is(message, 'it closed its standard output');
});

test('a server that ends while it lists its tools is quoted', async () => {
  const { message } = await catchFault(
    stdioServer(`list = () => { process.stderr.write('no memory\\n'); process.exit(4); };`),
  );
  assert.is(message, 'it ended with exit code 4; its last words: no memory');
});

test('a program that is no tool server is quoted from its output', async () => {
  const { message } = await catchFault(
    stdioServer(`out('Usage: server --port N\\n'); process.exit(0);`),
  );
  assert.is(message, 'it ended with exit code 0; its output: Usage: server --port N');
});

test('an answer that is not as the protocol wants it is named in words', async () => {
  const { kind, message } = await catchFault(
    stdioServer(
      `hello = () => ({ protocolVersion: undefined, capabilities: {}, serverInfo: { name: 'a', version: '1' } });`,
    ),
  );
  assert.is(kind, 'server-refused');
  assert.is(message, 'its answer has no valid protocolVersion');
});

test('tools that are no list are named', async () => {
  const { problems } = await withStdioServer(stdioServer(`list = () => ({ tools: {} });`), (one) =>
    one.tools(),
  );
  assert.equal(problems, ['page 1 of its tools is not a list']);
});

test('1,200 tools on one page are cut with a line', async () => {
  const script = `list = () => ({ tools: Array.from({ length: 1200 }, (_, n) => ({ name: 't' + n, inputSchema: { type: 'object' } })) });`;
  const { tools, problems } = await withStdioServer(stdioServer(script), (one) => one.tools());
  assert.is(tools.length, 1000);
  assert.equal(problems, ['it has more than 1000 tools; the first 1000 are kept']);
});

test('a server without a list of tools has no tools', async () => {
  const script = `answer = (id, result) => result.tools ? send({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }) : send({ jsonrpc: '2.0', id, result });`;
  const { tools, problems } = await withStdioServer(stdioServer(script), (one) => one.tools());
  assert.equal([tools, problems], [[], ['it has no tools']]);
});

test('pages that come slowly without end stop at the time of the start', async () => {
  const script = `list = (cursor, n) => ({ tools: n ? [] : [{ name: 'find', inputSchema: { type: 'object' } }], nextCursor: 'c' + n }); answer = (id, result) => setTimeout(() => send({ jsonrpc: '2.0', id, result }), result.tools ? 20 : 0);`;
  // Each look at the clock finds it a tenth of the time of the start later.
  let now = 0;
  const clock: Clock = {
    now: () => {
      now += START_MS / 10;
      return now;
    },
    at: () => () => {},
  };
  const { tools, problems } = await withStdioServer(
    stdioServer(script, { timeoutMs: START_MS }),
    (one) => one.tools(),
    clock,
  );
  assert.is(tools.length, 1);
  assert.match(problems.join(), /^page \d+ of its tools did not arrive; the first 1 are kept$/);
});

test.run();

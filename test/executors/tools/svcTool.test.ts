import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runTool } from '../../../cli/tool.ts';
import { createCommandExecutor } from '../../../src/executors/command/createCommandExecutor.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { FakeJobPort } from '../../support/http/fakeAgentJob.ts';
import { prepare } from '../../support/agents/sessionRequest.ts';
import { serveTools } from '../../support/agents/toolServer.ts';

const test = suite('svc tool');

/** Runs `svc tool` in this process, with a session folder that points to `server`. */
async function svcTool(
  argv: string[],
  server: { url: string; token: string } | null,
  stdin = '',
): Promise<{ code: number; out: string; err: string }> {
  const dir = await mkdtemp(join(tmpdir(), 'svc-tool-'));
  if (server) await writeFile(join(dir, 'mcp.json'), JSON.stringify(server));
  let out = '';
  let err = '';
  const streams = {
    stdin: (async function* () {
      yield stdin;
    })(),
    stdout: { write: (text: string) => (out += text) },
    stderr: { write: (text: string) => (err += text) },
  };
  const code = await runTool(argv, { SVC_SESSION_DIR: dir }, streams);
  await rm(dir, { recursive: true });
  return { code, out, err };
}

const withTools = async (
  run: (
    call: (argv: string[], stdin?: string) => ReturnType<typeof svcTool>,
    port: FakeJobPort,
  ) => Promise<void>,
) => {
  const port = new FakeJobPort();
  await using served = await serveTools(port);
  await run(
    (argv, stdin) => svcTool(argv, { url: served.url, token: served.opened.token }, stdin),
    port,
  );
};

test('prints the answer as one line of JSON, or as text', () =>
  withTools(async (call, port) => {
    assert.equal(await call(['goto_phase', '{"phase":"testing"}']), {
      code: 0,
      out: '{"phase":"testing","duplicate":false}\n',
      err: '',
    });
    assert.equal(await call(['get_work_items', '--text']), {
      code: 0,
      out: 'There are no work items.\n',
      err: '',
    });
    assert.equal(await call(['mcp__svc__escalate', '-'], '{"message":"stuck"}'), {
      code: 0,
      out: '{"duplicate":false}\n',
      err: '',
    });
    assert.equal(
      port.sent.map(({ event }) => event),
      [
        { type: 'tool.goto_phase', phase: 'testing', reason: '' },
        { type: 'tool.escalate', message: 'stuck' },
      ],
    );
  }));

test('with --json the list, a help and a refusal are JSON on stdout (CLI-6)', () =>
  withTools(async (call) => {
    const list = JSON.parse((await call(['--list', '--json'])).out) as { name: string }[];
    assert.ok(list.some(({ name }) => name === 'goto_phase'));
    assert.is(JSON.parse((await call(['goto_phase', '--help', '--json'])).out).name, 'goto_phase');
    const refused = await call(['goto_phase', '{"phase":"x"}', '--json']);
    assert.equal(refused.code, 1);
    assert.equal(refused.err, '');
    assert.match(JSON.parse(refused.out).error.detail, /has no phase "x"/);
    assert.is((await call(['--list', '--json', '--text'])).code, 2);
  }));

test('what the tool refuses goes to stderr with exit 1', () =>
  withTools(async (call) => {
    assert.equal(await call(['goto_phase', '{"phase":"x"}']), {
      code: 1,
      out: '',
      err: '"phase": workflows/job.md has no phase "x". Its phases: planning, coding, testing.\n',
    });
  }));

test('a service that does not answer is exit 75, with the code and that it is temporary (TOOL-6)', () =>
  withTools(async (call, port) => {
    const unreachable = { error: 'hub.test does not answer.', code: 'unreachable' };
    port.write = async () => ({ ok: false, result: unreachable });
    const text =
      'post_pr_comment: hub.test does not answer. This is temporary, and nothing was written: call the tool again later.';
    const args = ['local_post_pr_comment', '{"number":1,"body":"Done."}'];
    assert.equal(await call(args), { code: 75, out: '', err: `${text}\n` });
    const json = await call([...args, '--json']);
    assert.is(json.code, 75);
    assert.equal(JSON.parse(json.out), { error: { code: 'unreachable', detail: text } });
  }));

test('a refusal of the forge is exit 1, and a limit of its requests exit 75', () =>
  withTools(async (call, port) => {
    const args = ['local_post_pr_comment', '{"number":1,"body":"Done."}'];
    const codeAfter = async (code: string) => {
      port.write = async () => ({ ok: false, result: { error: 'no', code } });
      return (await call(args)).code;
    };
    assert.is(await codeAfter('forbidden'), 1);
    assert.is(await codeAfter('undecided'), 1);
    assert.is(await codeAfter('rate-limited'), 75);
  }));

test("a tool of the job's own forge is found and called by scm_<verb>", async () => {
  const port = new FakeJobPort();
  await using served = await serveTools(port, ['local'], true, [], null, {
    forge: 'local',
    tracker: null,
  });
  const server = { url: served.url, token: served.opened.token };
  assert.match((await svcTool(['scm_create_pr', '--help'], server)).out, /^local_create_pr: Opens/);
  await svcTool(['scm_post_pr_comment', '{"number":1,"body":"Done."}'], server);
  assert.is(port.writes[0]?.forge, 'local');
});

test('--list and --help show the tools and their arguments', () =>
  withTools(async (call) => {
    const list = await call(['--list']);
    assert.is(list.code, 0);
    assert.match(list.out, /^set_work_items {10}Set the work items\n/);
    assert.is(list.out.trim().split('\n').length, 28);
    const help = await call(['goto_phase', '--help']);
    assert.match(help.out, /^goto_phase: Names the phase.*"required": \[\n {4}"phase"/s);
    assert.match((await call(['--help'])).out, /^svc tool: calls a tool/);
    assert.equal(await call(['nothing', '--help']), {
      code: 2,
      out: '',
      err: 'The tool nothing does not exist. svc tool --list lists all tools.\n',
    });
  }));

test('wrong usage is exit 2 with what to write instead', () =>
  withTools(async (call) => {
    assert.match((await call([])).err, /^svc tool: calls a tool/);
    assert.is((await call([])).code, 2);
    const notJson = await call(['log', '{message:1}']);
    assert.is(notJson.code, 2);
    assert.match(notJson.err, /^The arguments are not JSON: .*Example: svc tool goto_phase/);
    assert.equal(await call(['log', '[]']), {
      code: 2,
      out: '',
      err: 'The arguments must be a JSON object, such as {"phase":"coding"}.\n',
    });
    assert.match(
      (await call(['log', '{"message":', '"a', 'b"}'])).err,
      /got 2 more words\. Put the JSON in single quotes/,
    );
    assert.match((await call(['log', '--yaml'])).err, /does not know --yaml/);
  }));

test('without a session it is exit 2 with an explanation', async () => {
  let err = '';
  const streams = {
    stdin: (async function* () {})(),
    stdout: { write() {} },
    stderr: { write: (text: string) => (err += text) },
  };
  assert.is(await runTool(['log', '{}'], {}, streams), 2);
  assert.match(
    err,
    /SVC_SESSION_DIR is not set\. This command works inside a program that the runner started/,
  );
  const noFile = await svcTool(['log', '{}'], null);
  assert.is(noFile.code, 2);
  assert.match(noFile.err, /mcp\.json cannot be read/);
});

test('a wrong token is exit 4, a phase that is over exit 3, a runner that is gone exit 5', async () => {
  const served = await serveTools(new FakeJobPort());
  const { url, opened } = served;
  assert.is((await svcTool(['get_work_items'], { url, token: 'wrong' })).code, 4);
  await opened.close();
  assert.equal(await svcTool(['get_work_items'], { url, token: opened.token }), {
    code: 3,
    out: '',
    err: 'No session has its tools here. This phase is over; end your turn.\n',
  });
  await served[Symbol.asyncDispose]();
  const gone = await svcTool(['get_work_items'], { url, token: opened.token });
  assert.is(gone.code, 5);
  assert.match(
    gone.err,
    /^The runner does not answer at 127\.0\.0\.1:\d+: it has stopped\. End your turn/,
  );
});

test('a connection that breaks during the call is exit 5, and the call is not repeated', async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.once('data', () => socket.destroy());
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
  const broken = await svcTool(['escalate', '{"message":"x"}'], {
    url: `http://127.0.0.1:${port}/mcp/x`,
    token: 't',
  });
  await new Promise((resolve) => server.close(resolve));
  assert.equal(broken, {
    code: 5,
    out: '',
    err: 'The connection to the runner broke (ECONNRESET), so svc does not know whether the call was carried out.\n',
  });
  assert.is(connections, 1);
});

test('a program that runs as an agent drives its phase with it (TOOL-1)', async () => {
  const port = new FakeJobPort();
  await using served = await serveTools(port);
  const entry = `import { runTool } from ${JSON.stringify(new URL('../../../cli/tool.ts', import.meta.url).href)};
    process.exitCode = await runTool(process.argv.slice(1), process.env, process);`;
  const tsx = import.meta.resolve('tsx');
  await using agent = await prepare(
    [
      process.execPath,
      '--import',
      tsx,
      '--input-type=module',
      '-e',
      entry,
      'goto_phase',
      '{"phase":"testing"}',
    ],
    {
      tools: { url: served.url, token: served.opened.token },
    },
  );
  const session = await createCommandExecutor({ clock: systemClock }).run(agent.request);
  assert.equal(await session.result, { stopReason: 'end_turn', error: null, usage: null });
  assert.equal(agent.lines('stdout'), ['{"phase":"testing","duplicate":false}']);
  assert.equal(port.sent[0]?.event, { type: 'tool.goto_phase', phase: 'testing', reason: '' });
});

test.run();

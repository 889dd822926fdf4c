import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createAcpExecutor } from '../../../src/executors/acp/createAcpExecutor.ts';
import type { SessionRequest } from '../../../src/contract/session/executor.ts';
import { toThrownFault } from '../../../src/base/errors/toThrownFault.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import type { McpServer } from '../../../src/contract/schema/session/mcpServer.ts';
import { isAlive, type Prepared, prepare } from '../../support/agents/sessionRequest.ts';
import { createHeldClock, HELD_MS } from '../../support/heldClock.ts';

const test = suite('executor acp faults');

const OPTIONS = { clock: systemClock, config: { preset: 'custom' }, graceMs: 300 };
const executor = createAcpExecutor(OPTIONS);

/**
 * A small agent in a file; `prompt` is what it does with a prompt, `cancel` what it does when asked
 * to stop.
 */
const createAgent = (
  prompt: string,
  cancel = "say({ id: asked, result: { stopReason: 'cancelled' } })",
) => `
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const update = (update) => say({ method: 'session/update', params: { sessionId: 's', update } });
const tell = (text) => update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
let asked = null;
let prompts = 0;
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (method === 'initialize') say({ id, result: { protocolVersion: 1, agentCapabilities: { mcpCapabilities: { http: true } } } });
  else if (method === 'session/new') say({ id, result: { sessionId: 's' } });
  else if (method === 'session/prompt') { asked = id; prompts += 1; const said = params.prompt.map((one) => one.text); ${prompt} }
  else if (method === 'session/cancel') { ${cancel} }
  else if (result !== undefined) { tell(JSON.stringify(result.outcome)); say({ id: asked, result: { stopReason: 'end_turn' } }); }
});`;

async function agent(
  prompt: string,
  more: Partial<SessionRequest> = {},
  cancel?: string,
): Promise<Prepared> {
  const prepared = await prepare(null, {
    llm: { provider: 'acp', model: null, reasoningEffort: null },
    ...more,
  });
  const file = join(prepared.dir, 'agent.cjs');
  await writeFile(file, createAgent(prompt, cancel));
  Object.assign(prepared.request, { command: [process.execPath, file] });
  return prepared;
}

const startSteered = async ({ request }: Prepared) => {
  const session = await executor.run(request);
  const { steering } = session;
  if (!steering) throw new Error('it cannot be steered');
  return { session, steering };
};
const joinTokens = ({ events }: Prepared) =>
  events.flatMap((event) => (event.type === 'token' ? [event.text] : [])).join('');
const turns = ({ events }: Prepared) =>
  events.flatMap((event) => (event.type === 'turn' ? [event.stopReason] : []));
const states = ({ events }: Prepared) =>
  events.flatMap((event) => (event.type === 'message' ? [`${event.id} ${event.state}`] : []));

const FREEZE =
  "tell('pid ' + process.pid + '\\n'); setTimeout(() => process.kill(process.pid, 'SIGSTOP'), 20)";
const waitUntilFrozen = async (pid: string) => {
  while (
    !/\) T /.test(await (await import('node:fs/promises')).readFile(`/proc/${pid}/stat`, 'utf8'))
  )
    await new Promise(setImmediate);
};
const readPid = async (prepared: Prepared): Promise<string> => {
  await prepared.said(/^pid /);
  return (
    prepared
      .lines('stdout')
      .find((line) => line.startsWith('pid '))
      ?.slice(4) ?? ''
  );
};

test('a frozen agent does not acknowledge an interrupt, and ends all the same when the session is ended (STR-4)', async () => {
  await using prepared = await agent(FREEZE);
  const { session, steering } = await startSteered(prepared);
  const pid = await readPid(prepared);
  await waitUntilFrozen(pid);
  assert.is(await steering.interrupt(100), false);
  assert.equal(turns(prepared), []);
  await session.end(100);
  assert.equal((await session.result).stopReason, 'interrupted');
  assert.equal(await isAlive(Number(pid)), false);
});

test('a message in the pipe of a frozen agent is not reported as delivered: it would be lost with the agent', async () => {
  await using prepared = await agent(
    `if (prompts === 1) say({ id, result: { stopReason: 'end_turn' } }), ${FREEZE.replace('20', '0')}`,
  );
  const { session, steering } = await startSteered(prepared);
  await waitUntilFrozen(await readPid(prepared));
  steering.send([{ id: 'm1', text: 'hello' }]);
  assert.is(await steering.interrupt(100), false);
  await session.end(50);
  assert.equal(states(prepared), ['kickoff delivered', 'kickoff acknowledged']);
});

test('an agent whose process ends in the middle of a turn has died, with its last output, and an interrupt then reports that nothing received it', async () => {
  await using prepared = await agent(
    "require('fs').writeSync(2, 'out of memory\\n'); process.exit(3)",
  );
  const { session, steering } = await startSteered(prepared);
  const acknowledged = steering.interrupt(5_000);
  const { stopReason, error } = await session.result;
  assert.is(stopReason, 'died');
  assert.match(error ?? '', /ended with exit code 3\. Last output:\nout of memory$/);
  assert.is(await acknowledged, false);
});

test('what an agent said before it died is not lost with it', async () => {
  await using prepared = await agent(
    "tell('last words'); say({ id, result: { stopReason: 'end_turn' } }); process.exitCode = 0; process.stdin.destroy()",
  );
  const { session, steering } = await startSteered(prepared);
  steering.close();
  assert.equal((await session.result).stopReason, 'end_turn');
  assert.equal(joinTokens(prepared), 'last words');
  assert.equal(turns(prepared), ['end_turn']);
});

test('a missing program, and one that speaks another protocol, are errors that say how to fix it', async () => {
  await using missing = await prepare(['no-such-agent'], {
    llm: { provider: 'acp:custom', model: null, reasoningEffort: null },
  });
  const { error } = await (await executor.run(missing.request)).result;
  assert.match(
    error ?? '',
    /^no-such-agent could not be started: it was not found on the agents' PATH\. Check `command:`/,
  );
  await using other = await prepare(['sh', '-c', 'echo "usage: other [file]" >&2; exit 2']);
  assert.match(
    (await (await executor.run(other.request)).result).error ?? '',
    /exit code 2.*usage: other/s,
  );
});

const playProgram = async (command: readonly string[], timeMs = 30_000) => {
  await using prepared = await prepare(command, {
    llm: { provider: 'acp:custom', model: null, reasoningEffort: null },
    limits: { timeMs, outputBytes: 100_000 },
  });
  const session = await executor.run(prepared.request);
  return await session.result;
};

test('a path below a file is refused as a program that cannot be started', async () => {
  const error = await playProgram(['/etc/passwd/agent']).catch((thrown: unknown) => thrown);
  assert.is(toThrownFault(error), 'not-started');
});

test('a program that opens no session ends with an error for a person', async () => {
  for (const script of ['exit 0', 'echo "not a message"; exit 1', 'exec >&-; sleep 100']) {
    const { stopReason, fault } = await playProgram(['sh', '-c', script]);
    assert.equal([script, stopReason, fault], [script, 'error', 'unknown']);
  }
});

test('its last words are also what it wrote instead of messages, with where it is set', async () => {
  const { error } = await playProgram(['sh', '-c', 'echo "please log in"; exit 1']);
  assert.match(error ?? '', /config\.command\. Last output:\nplease log in$/);
});

test('an agent that is silent until its time is over hangs, which is an error for a person', async () => {
  await using prepared = await agent('', { limits: { timeMs: 1_500, outputBytes: 100_000 } });
  const { session } = await startSteered(prepared);
  const { stopReason, fault } = await session.result;
  assert.equal([stopReason, fault], ['error', 'unknown']);
});

test('an agent without a command, without settings or of an unknown name is refused before anything runs', async () => {
  const refusal = async (provider: string, config = {}) => {
    await using prepared = await prepare(null, {
      llm: { provider, model: null, reasoningEffort: null },
    });
    return createAcpExecutor({ clock: systemClock, config })
      .run(prepared.request)
      .then(
        () => 'it ran',
        (error: Error) => error.message,
      );
  };
  assert.match(
    await refusal('acp:custom'),
    /no program is set\. Set command in plugins\.installed\.acp\.config/,
  );
  assert.match(await refusal('acp'), /acp:opencode, which has no model\. Set opencodeModel/);
  assert.match(await refusal('acp:gemini'), /no key\. Set geminiApiKey/);
  assert.match(
    await refusal('acp:unknown'),
    /the agent unknown, which is unknown to acp\. Known: opencode, gemini, codex/,
  );
});

test('the healthcheck reports whether the configured agent is installed, and what to install', async () => {
  const health = (config: Record<string, string>) =>
    createAcpExecutor({ clock: systemClock, config }).healthcheck();
  assert.equal(await health({ preset: 'gemini', geminiPath: '/no/such/gemini' }), {
    ok: false,
    detail:
      'gemini; the program /no/such/gemini was not found. Install it with `npm install -g @google/gemini-cli`, or name the program in plugins.installed.acp.config.geminiPath.',
  });
  assert.equal(await health({ preset: 'custom', command: `"${process.execPath}" agent.js` }), {
    ok: true,
    detail: `custom, ${process.execPath}.`,
  });
  assert.match(
    (await health({ preset: 'custom', command: 'sh -c agent' })).detail,
    /^custom, \/.*\/sh\.$/,
  );
  assert.equal(await health({ preset: 'custom' }), {
    ok: true,
    detail: 'custom: each agent names its own command line.',
  });
});

test('a flood fills the limit and not the memory, also one that is no message', async () => {
  for (const flood of [
    "setInterval(() => { for (let i = 0; i < 500; i++) tell('x'.repeat(200)) }, 0)",
    "setInterval(() => { for (let i = 0; i < 500; i++) process.stdout.write('noise\\n') }, 0)",
  ]) {
    await using prepared = await agent(flood, { limits: { timeMs: 30_000, outputBytes: 100_000 } });
    const { session } = await startSteered(prepared);
    const { stopReason, error } = await session.result;
    assert.equal(stopReason, 'limit');
    assert.equal(error, 'The output limit of 100000 bytes is reached. The session was ended.');
    assert.ok(JSON.stringify(prepared.events).length < 600_000);
  }
});

test('the time limit ends a session, and nothing of it is left', async () => {
  const { clock, release } = createHeldClock();
  await using prepared = await agent("tell('pid ' + process.pid + '\\n')", {
    limits: { timeMs: HELD_MS, outputBytes: 100_000 },
  });
  const session = await createAcpExecutor({ ...OPTIONS, clock }).run(prepared.request);
  const pid = await readPid(prepared);
  release();
  assert.is((await session.result).stopReason, 'limit');
  assert.is(await isAlive(Number(pid)), false);
});

test('an error after an interrupt is no failure; one without is', async () => {
  const fails =
    "say({ id: asked, error: { code: -32603, message: 'Internal error', data: { details: 'no disk' } } })";
  await using cancelled = await agent("tell('working\\n')", {}, fails);
  const one = await startSteered(cancelled);
  await cancelled.said(/working/);
  assert.is(await one.steering.interrupt(5_000), true);
  one.steering.close();
  assert.equal((await one.session.result).stopReason, 'interrupted');
  assert.equal(turns(cancelled), ['interrupted']);
  await using failed = await agent(fails);
  const two = await startSteered(failed);
  two.steering.close();
  assert.equal((await two.session.result).error, 'Internal error: no disk');
  assert.equal(turns(failed), ['error']);
});

test('an error that reports a limit of the model ends the session with its reset time, if it is given', async () => {
  const at = Math.floor(Date.now() / 1_000) + 3_600;
  for (const [error, resetsAt] of [
    [
      {
        code: -32603,
        message: 'Internal error',
        data: { details: `Claude AI usage limit reached|${at}` },
      },
      at * 1_000,
    ],
    [{ code: 429, message: 'Rate limit exceeded' }, null],
    [
      {
        code: -32603,
        message: 'Internal error',
        data: { error: { type: 'usage_limit_reached', resets_at: at } },
      },
      at * 1_000,
    ],
    [{ code: -32603, message: 'Internal error', data: { details: 'overloaded_error' } }, null],
  ] as const) {
    await using limited = await agent(`say({ id: asked, error: ${JSON.stringify(error)} })`);
    const { session } = await startSteered(limited);
    const result = await session.result;
    assert.equal(result.stopReason, 'quota');
    assert.equal(result.resetsAt, resetsAt);
    assert.equal(turns(limited), []);
  }
});

test('there is never a second prompt while one is open: messages wait for the end of the turn', async () => {
  await using prepared = await agent(
    "tell(prompts + ':' + said.at(-1) + ' '); setTimeout(() => say({ id, result: { stopReason: 'end_turn' } }), 50)",
  );
  const { session, steering } = await startSteered(prepared);
  steering.send([{ id: 'm1', text: 'one' }]);
  steering.send([{ id: 'm2', text: 'two' }]);
  steering.close();
  assert.is((await session.result).stopReason, 'end_turn');
  assert.equal(joinTokens(prepared), '1:Begin. 2:two ');
  assert.equal(turns(prepared), ['end_turn', 'end_turn']);
  assert.equal(states(prepared).slice(2), [
    'm1 delivered',
    'm2 delivered',
    'm1 acknowledged',
    'm2 acknowledged',
  ]);
});

test('a call that an agent tells of by nothing but its question has begun when it is allowed, and not when it is refused', async () => {
  const toolCall = { toolCallId: 'c', kind: 'execute', title: 'make', status: 'pending' };
  const options = [
    { optionId: 'yes', name: 'y', kind: 'allow_once' },
    { optionId: 'no', name: 'n', kind: 'reject_once' },
  ];
  const asks = `say({ id: 77, method: 'session/request_permission', params: ${JSON.stringify({ sessionId: 's', toolCall, options })} })`;
  const toolsReported = async (builtInTools: readonly string[]) => {
    await using prepared = await agent(asks, { builtInTools });
    const { session, steering } = await startSteered(prepared);
    steering.close();
    await session.result;
    return prepared.events.flatMap((event) =>
      event.type === 'tool' ? [[event.at, event.name, event.detail]] : [],
    );
  };
  assert.equal(await toolsReported(['shell']), [
    ['start', 'make', 'make'],
    ['end', 'make', 'The turn ended before this call finished.'],
  ]);
  assert.equal(await toolsReported(['read']), []);
});

test('permissions are answered from the list of the phase, never by asking', async () => {
  const ask = (
    toolCall: object,
  ) => `say({ id: 77, method: 'session/request_permission', params: { sessionId: 's', toolCall: ${JSON.stringify({ toolCallId: 't', ...toolCall })}, options: [
    { optionId: 'always', name: 'a', kind: 'allow_always' }, { optionId: 'once', name: 'o', kind: 'allow_once' }, { optionId: 'no', name: 'n', kind: 'reject_once' } ] } })`;
  const docs: McpServer = {
    id: 'docs',
    origin: 'config',
    transport: 'stdio',
    command: 'docs',
    args: [],
    env: {},
    url: null,
    headers: {},
    allowedTools: null,
    disallowedTools: [],
  };
  const answer = async (toolCall: object, builtInTools: readonly string[] | null) => {
    await using prepared = await agent(ask(toolCall), { builtInTools, mcpServers: [docs] });
    const { session, steering } = await startSteered(prepared);
    steering.close();
    await session.result;
    return JSON.parse(joinTokens(prepared)).optionId;
  };
  assert.is(await answer({ kind: 'execute', title: 'rm -r x' }, null), 'once');
  assert.is(await answer({ kind: 'execute', title: 'rm -r x' }, ['read']), 'no');
  assert.is(await answer({ kind: 'execute', title: 'svc_goto_phase' }, ['read']), 'no');
  assert.is(await answer({ kind: 'other', title: 'svc_goto_phase' }, []), 'once');
  assert.is(await answer({ kind: 'other', title: 'docs_find' }, []), 'once');
  assert.is(await answer({ kind: 'switch_mode', title: 'yolo' }, null), 'no');
});

test('the token of the tool server does not come out, also in pieces, and the system prompt goes before the first message', async () => {
  await using prepared = await agent(
    "tell('tool-'); tell('token and ' + said[0].slice(0, 16)); say({ id, result: { stopReason: 'end_turn' } })",
  );
  const { session, steering } = await startSteered(prepared);
  steering.close();
  await session.result;
  assert.is(joinTokens(prepared), '[secret] and You are careful.');
  assert.equal(prepared.lines('stdout'), ['[secret] and You are careful.']);
});

test.run();

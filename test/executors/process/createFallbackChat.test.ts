import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ChatRequest, ReadTool } from '../../../src/contract/planning/chat.ts';
import type {
  Executor,
  SessionEvent,
  SessionRequest,
  SessionResult,
} from '../../../src/contract/session/executor.ts';
import type { ProgramStart } from '../../../src/contract/session/sandbox.ts';
import { createCommandExecutor } from '../../../src/executors/command/createCommandExecutor.ts';
import { createFallbackChat } from '../../../src/executors/process/createFallbackChat.ts';
import { listMarkedProcesses } from '../../../src/executors/process/processTable.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { type ChatStage, openChatStage, joinParts } from '../../support/agents/chatStage.ts';

const test = suite('chats of executors without one');

const LLM = { provider: 'other', model: null, reasoningEffort: null };
const CAPABILITIES = {
  steering: false,
  foldMidTurn: false,
  cancelsToolCalls: false,
  resume: false,
  skills: false,
  systemPrompt: true,
};

/** An executor whose sessions say the events and end so; `asked` is what they were asked. */
function createScriptedExecutor(
  events: readonly SessionEvent[],
  result: Partial<SessionResult> = {},
  holdsAllowlist = true,
) {
  const asked: SessionRequest[] = [];
  const executor: Executor = {
    id: 'other',
    capabilities: { ...CAPABILITIES, holdsAllowlist },
    async run(request) {
      asked.push(request);
      for (const event of events) await request.onEvent(event);
      const outcome = { stopReason: 'end_turn', error: null, usage: null, ...result } as const;
      return { result: Promise.resolve(outcome), steering: null, end: async () => {} };
    },
    endOrphans: async () => 0,
  };
  return { executor, asked };
}

/** A stage whose executor holds chats by the fallback. */
async function open(
  executor: Executor,
  changes: Partial<ChatRequest> = {},
  command: readonly string[] | null = null,
): Promise<ChatStage> {
  const chat = createFallbackChat(executor, { llm: { ...LLM, provider: executor.id }, command });
  if (typeof chat === 'string') throw new Error(chat);
  return openChatStage(() => ({ ...executor, chat }), {}, changes);
}

const HISTORY: ChatRequest['history'] = [
  { role: 'user', text: 'What is in the shop?' },
  { role: 'assistant', text: 'One price.' },
];

test('a session without tools of its own answers: its tokens and thoughts are parts, and the run says that it is a fallback (PLN-7)', async () => {
  const { executor, asked } = createScriptedExecutor([
    { type: 'thinking', text: 'Hm.' },
    { type: 'token', text: 'It is 7.' },
  ]);
  await using stage = await open(executor, { history: HISTORY, resume: 'old' });
  const run = await stage.start();
  assert.is(run.fallback, true);
  assert.is((await run.result).stop, 'end');
  assert.is(joinParts(stage.parts, 'thinking'), 'Hm.');
  assert.is(joinParts(stage.parts), 'It is 7.');
  const [request] = asked;
  assert.equal(request?.builtInTools, []);
  assert.equal(request?.mcpServers, []);
  assert.is(request?.resume, null);
  assert.match(request?.kickoff ?? '', /What is in the shop\?.*One price\..*What is the price\?/s);
  assert.match(request?.systemPrompt ?? '', /^You look and do not touch\./);
});

test('its program is confined by the sandbox of the turn, which knows where the tools are', async () => {
  const { executor, asked } = createScriptedExecutor([{ type: 'token', text: 'x' }]);
  const sandbox = {
    profile: 'bubblewrap',
    bridge: false,
    wrap: (start: ProgramStart) => start,
  } as const;
  const needs: unknown[] = [];
  await using stage = await open(executor, {
    sandbox: async (need) => {
      needs.push(need);
      return sandbox;
    },
  });
  await stage.play();
  const [request] = asked;
  assert.is(request?.sandbox, sandbox);
  assert.equal(needs, [{ toolUrl: request?.tools.url, sessionDir: request?.sessionDir }]);
});

test('its folders are below the folder of the chat, and its working directory is empty', async () => {
  const { executor, asked } = createScriptedExecutor([{ type: 'token', text: 'x' }]);
  await using stage = await open(executor);
  await stage.play();
  const { stateDir } = stage.request;
  const [request] = asked;
  for (const place of [
    request?.cwd,
    request?.sessionDir,
    request?.overlayDir,
    request?.env.HOME,
    request?.env.TMPDIR,
  ])
    assert.ok(place?.startsWith(`${stateDir}/`), place);
  assert.equal(await readdir(join(stateDir, 'cwd')), []);
});

test('an agent that is not offered tools is shown how a shell calls them', async () => {
  const { executor, asked } = createScriptedExecutor([{ type: 'token', text: 'x' }]);
  await using stage = await open(executor);
  await stage.play();
  const prompt = asked[0]?.systemPrompt ?? '';
  assert.match(prompt, "`svc tool <name> '<json>' --text`");
  assert.match(prompt, '- `scm_read_file` { path }: Reads one path.');
});

test('an agent that is offered its tools gets no list of them', async () => {
  const { executor, asked } = createScriptedExecutor([{ type: 'token', text: 'x' }]);
  await using stage = await open({
    ...executor,
    toolForm: () => ({ prefix: 'svc_', offered: true }),
  });
  await stage.play();
  assert.not.match(asked[0]?.systemPrompt ?? '', 'svc tool');
});

test('lines of the runner are notes, and lines of stderr are not part of the answer', async () => {
  const { executor } = createScriptedExecutor([
    { type: 'log', stream: 'stdout', line: '\u001b[1mIt is 7.\u001b[0m' },
    { type: 'log', stream: 'stderr', line: 'warning' },
    { type: 'log', stream: 'control', line: 'The endpoint waits.' },
  ]);
  await using stage = await open(executor);
  await stage.play();
  assert.is(joinParts(stage.parts), 'It is 7.\n');
  assert.equal(
    stage.parts.flatMap((part) => (part.type === 'note' ? [part.text] : [])),
    ['The endpoint waits.'],
  );
});

test('the end of the session is the end of the turn', async () => {
  const runUntilStop = async (
    result: Partial<SessionResult>,
    events: readonly SessionEvent[] = [{ type: 'token', text: 'x' }],
  ) => {
    await using stage = await open(createScriptedExecutor(events, result).executor);
    const { stop, error, resetsAt } = await stage.play();
    return { stop, error, resetsAt };
  };
  const at = { error: null, resetsAt: null };
  const fault = { error: 'It broke.', resetsAt: null };
  assert.equal(await runUntilStop({ stopReason: 'pause_turn' }), { stop: 'end', ...at });
  assert.equal(await runUntilStop({ stopReason: 'error', error: 'It broke.' }), {
    stop: 'error',
    ...fault,
  });
  assert.equal(await runUntilStop({ stopReason: 'died', error: 'It broke.' }), {
    stop: 'error',
    ...fault,
  });
  assert.equal(await runUntilStop({ stopReason: 'limit', error: 'It broke.' }), {
    stop: 'error',
    ...fault,
  });
  assert.equal(await runUntilStop({ stopReason: 'quota', error: 'It broke.', resetsAt: 7 }), {
    stop: 'quota',
    error: 'It broke.',
    resetsAt: 7,
  });
  assert.equal(await runUntilStop({}, []), {
    stop: 'error',
    error: 'The model answered with neither text nor a look-up.',
    resetsAt: null,
  });
});

test('a secret of the runner in an error is taken out', async () => {
  const { executor } = createScriptedExecutor([], {
    stopReason: 'error',
    error: 'bad key secret-4711',
  });
  await using stage = await open(executor);
  assert.is((await stage.play()).error, 'bad key [secret]');
});

test('an executor whose sessions have tools of their own has no fallback', () => {
  const { executor } = createScriptedExecutor([], {}, false);
  assert.is(
    createFallbackChat(executor, { llm: LLM, command: null }),
    'its sessions cannot be kept to the tools of a chat',
  );
});

test('the reason of an executor that cannot hold a chat counts more than that it holds lists', () => {
  const { executor } = createScriptedExecutor([]);
  const one = { ...executor, cannotChat: () => 'it asks for titles' };
  assert.is(createFallbackChat(one, { llm: LLM, command: null }), 'it asks for titles');
});

const command = createCommandExecutor({ clock: systemClock, graceMs: 200 });

test('the command executor has one where agents/intake.md names a program, and a reason where it does not', () => {
  const need = (program: readonly string[] | null) => ({ llm: LLM, command: program });
  assert.type(createFallbackChat(command, need(['true'])), 'function');
  assert.match(
    String(createFallbackChat(command, need(null))),
    /^agents\/intake\.md of the base layer or of the tenant names no program/,
  );
});

/** A program that looks one thing up with the tool server of its session and says the answer. */
const LOOKS_UP = `
const { readFileSync } = require('node:fs');
const dir = process.env.SVC_SESSION_DIR;
const { url, token } = JSON.parse(readFileSync(dir + '/mcp.json', 'utf8'));
const call = async (name, args) => {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', authorization: 'Bearer ' + token },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  });
  return (await answer.json()).result.content[0].text;
};
(async () => {
  console.log('Asked: ' + readFileSync(dir + '/kickoff.md', 'utf8'));
  for (let n = 0; n < Number(process.argv[1] ?? 1); n += 1) console.log(await call('scm_read_file', { path: 'src/price.ts' }));
})();`;

test('a program answers with its lines, and looks up with the tool server of its turn', async () => {
  await using stage = await open(command, {}, [process.execPath, '-e', LOOKS_UP]);
  const { stop, rounds } = await stage.play();
  assert.is(stop, 'end');
  assert.is(rounds, 1);
  assert.is(joinParts(stage.parts), 'Asked: @@work What is the price?\nexport const price = 7;\n');
  assert.equal(stage.seen, [{ name: 'scm_read_file', args: { path: 'src/price.ts' } }]);
});

test('look-ups beyond the rounds of the turn are not made, and the last one says that it is the last', async () => {
  await using stage = await open(command, { maxRounds: 2 }, [
    process.execPath,
    '-e',
    LOOKS_UP,
    '4',
  ]);
  const { stop, rounds } = await stage.play();
  assert.is(stop, 'rounds');
  assert.is(rounds, 2);
  assert.equal(
    stage.parts.filter(({ type }) => type === 'round'),
    [
      { type: 'round', n: 1 },
      { type: 'round', n: 2 },
    ],
  );
  assert.is(stage.seen.length, 2);
  assert.match(joinParts(stage.parts), 'That was the last round of look-ups of this turn.');
  assert.match(joinParts(stage.parts), 'This turn has no more look-ups');
});

test('a program that continues to look up though it is refused is stopped', async () => {
  await using stage = await open(command, { maxRounds: 2 }, [
    process.execPath,
    '-e',
    LOOKS_UP,
    '100000',
  ]);
  const { stop, error } = await stage.play();
  assert.is(stop, 'rounds');
  assert.is(error, null);
  assert.is(stage.seen.length, 2);
});

test('an abort ends the program and everything that it started', async () => {
  const stop = new AbortController();
  const program =
    "console.log('here'); require('node:child_process').spawn('sleep', ['300']); setInterval(() => {}, 1000);";
  await using stage = await open(command, { signal: stop.signal }, [
    process.execPath,
    '-e',
    program,
  ]);
  const run = await stage.start();
  await stage.until(({ type }) => type === 'token');
  stop.abort();
  const { stop: why } = await run.result;
  assert.is(why, 'interrupted');
  assert.is(joinParts(stage.parts), 'here\n');
  assert.equal(await listMarkedProcesses((marker) => marker === stage.request.marker), []);
});

test('look-ups that run at the same time are one round', async () => {
  let waiting: (() => void)[] = [];
  const slow: ReadTool = {
    name: 'scm_read_file',
    description: 'Reads.',
    inputSchema: { type: 'object' },
    run: () =>
      new Promise((resolve) => {
        waiting.push(() => resolve({ text: 'x', failed: false }));
        if (waiting.length === 3) {
          for (const go of waiting) go();
          waiting = [];
        }
      }),
  };
  const program = LOOKS_UP.replace(
    /for \(let n[^\n]*\n/,
    "await Promise.all([1, 2, 3].map(() => call('scm_read_file', {})));\n",
  );
  await using stage = await open(command, { tools: [slow] }, [process.execPath, '-e', program]);
  assert.is((await stage.play()).rounds, 1);
});

test.run();

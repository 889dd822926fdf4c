import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ChatRequest } from '../../../src/contract/planning/chat.ts';
import { createAcpExecutor } from '../../../src/executors/acp/createAcpExecutor.ts';
import { planAcpLaunch } from '../../../src/executors/acp/planAcpLaunch.ts';
import { PRESETS } from '../../../src/executors/acp/presets/index.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { type ChatStage, openChatStage, joinParts } from '../../support/agents/chatStage.ts';
import { prepare } from '../../support/agents/sessionRequest.ts';

const test = suite('executor acp, chats');

const CONFIG = {
  opencodeBaseUrl: 'http://127.0.0.1:1/v1',
  geminiApiKey: 'canary-model-key',
};

const llm = (provider: string) => ({ provider, model: 'm', reasoningEffort: null });
const need = (provider: string) => ({ llm: llm(provider), command: null });

test('of the presets opencode and gemini hold chats; every other one says why it cannot', () => {
  const executor = createAcpExecutor({ clock: systemClock, config: CONFIG });
  const holding = PRESETS.filter(({ id }) => executor.cannotChat?.(need(`acp:${id}`)) === null);
  assert.equal(
    holding.map(({ id }) => id),
    ['opencode', 'gemini'],
  );
  assert.match(executor.cannotChat?.(need('acp:codex')) ?? '', 'view_image and spawn_agent');
  assert.match(executor.cannotChat?.(need('acp:custom')) ?? '', 'a program that it does not know');
  assert.match(executor.cannotChat?.(need('acp:claude-agent-acp')) ?? '', 'use claude');
  assert.match(executor.cannotChat?.(need('acp:nothing')) ?? '', 'is unknown to acp');
});

test('a chat with an agent that cannot be held read-only is refused, and no program starts', async () => {
  const config = { command: 'false' };
  const executor = createAcpExecutor({ clock: systemClock, config });
  await using stage = await openChatStage(() => executor, {}, { llm: llm('acp:custom') });
  const refused = await stage.start().catch((error: unknown) => error);
  assert.match(
    refused instanceof Error ? refused.message : '',
    /^A chat with acp:custom cannot be held read-only: svc knows no way/,
  );
  assert.equal(await readdir(stage.request.stateDir), []);
});

const planChat = async (id: string) => {
  await using prepared = await prepare(null, { llm: llm(`acp:${id}`), builtInTools: [] });
  const preset = PRESETS.find((one) => one.id === id);
  if (!preset) throw new Error(`There is no preset ${id}.`);
  return planAcpLaunch(preset, prepared.request, CONFIG, { maxRounds: 25 });
};

test('opencode is denied everything but the tools of the chat, has our prompt alone and ends by words', async () => {
  const { env } = await planChat('opencode');
  const config = JSON.parse(env.OPENCODE_CONFIG_CONTENT ?? '{}');
  assert.equal(config.permission, { '*': 'deny', 'svc_*': 'allow' });
  assert.equal(config.agent.build, { prompt: 'You are careful.', steps: 26 });
  assert.equal(config.instructions, []);
  assert.is(env.OPENCODE_DISABLE_PROJECT_CONFIG, '1');
});

test('the policy of gemini denies everything but the tools of servers, of which the chat has one', async () => {
  const { files, args } = await planChat('gemini');
  const policy = files['policies/svc.toml'] ?? '';
  assert.equal(policy.match(/toolName = .*/g), ['toolName = ["*"]', 'toolName = ["mcp_*"]']);
  assert.equal(policy.match(/decision = .*/g), ['decision = "deny"', 'decision = "allow"']);
  assert.is(args[args.indexOf('--allowed-mcp-server-names') + 1], 'svc');
});

/** A program in the place of opencode; `prompt` is what it does with a prompt. */
const writeAgentScript = (prompt: string) => `#!${process.execPath}
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const tell = (text) => say({ method: 'session/update', params: { sessionId: 's', update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } } });
const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_always' }, { optionId: 'no', name: 'No', kind: 'reject_once' }];
const ask = (n, call) => say({ id: 'ask-' + n, method: 'session/request_permission', params: { sessionId: 's', options, toolCall: { toolCallId: 'c' + n, ...call } } });
let asked = null;
let open = 0;
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (method === 'initialize') say({ id, result: { protocolVersion: 1, agentCapabilities: { loadSession: true, mcpCapabilities: { http: true } } } });
  else if (method === 'session/new') say({ id, result: { sessionId: 's' } });
  else if (method === 'session/prompt') { asked = id; const text = params.prompt.map((one) => one.text).join(' '); ${prompt} }
  else if (result !== undefined) {
    tell(result.outcome.optionId + ' ');
    open -= 1;
    if (open === 0) say({ id: asked, result: { stopReason: 'end_turn' } });
  }
});`;

async function openAgent(prompt: string, changes: Partial<ChatRequest> = {}): Promise<ChatStage> {
  const config = { ...CONFIG };
  const executor = createAcpExecutor({ clock: systemClock, config, graceMs: 300 });
  const stage = await openChatStage(() => executor, {}, { llm: llm('acp:opencode'), ...changes });
  const program = join(stage.root, 'agent.cjs');
  await writeFile(program, writeAgentScript(prompt), { mode: 0o700 });
  Object.assign(config, { opencodePath: program });
  return stage;
}

test('whatever the agent asks permission for is refused, under whichever name', async () => {
  const calls = [
    { title: 'Write', kind: 'edit' },
    { title: 'rm -rf .', kind: 'execute' },
    { title: 'think', kind: 'think' },
    { title: 'switch', kind: 'switch_mode' },
    { title: 'mcp__svc__scm_read_file', kind: 'other' },
    { title: 'webfetch', kind: 'fetch' },
  ];
  await using stage = await openAgent(
    `const calls = ${JSON.stringify(calls)}; open = calls.length; calls.forEach((call, n) => ask(n, call));`,
  );
  const { stop } = await stage.play();
  assert.is(stop, 'end');
  assert.is(joinParts(stage.parts), 'no '.repeat(calls.length));
});

const TELLS_TEXT =
  "tell(process.cwd() + ' ' + text); say({ id: asked, result: { stopReason: 'end_turn' } });";

test('the agent works in an empty folder of the chat and is given everything, also where a turn went before', async () => {
  await using stage = await openAgent(TELLS_TEXT, {
    history: [{ role: 'user', text: 'What is in the shop?' }],
    resume: 's-0',
  });
  await stage.play();
  const cwd = join(stage.request.stateDir, 'cwd');
  assert.match(joinParts(stage.parts), `${cwd} The conversation so far:`);
  assert.match(joinParts(stage.parts), 'What is in the shop?');
  assert.equal(await readdir(cwd), []);
});

test('an agent that ends in the middle of a turn is an error with its last words', async () => {
  await using stage = await openAgent("console.error('out of luck'); process.exit(3);");
  const { stop, error } = await stage.play();
  assert.is(stop, 'error');
  assert.match(error ?? '', /ended with exit code 3\..*out of luck/s);
});

test.run();

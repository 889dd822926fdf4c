/**
 * A program: a small agent of the Agent Client Protocol that asks a scripted model. Its model is at
 * ANTHROPIC_BASE_URL.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { type AgentContext, agent, ndJsonStream } from '@agentclientprotocol/sdk';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { createParser } from 'eventsource-parser';

interface Block {
  type: string;
  id: string;
  name: string;
  text: string;
  thinking: string;
  json: string;
}

const TRIES = 3;
const OWN_TOOLS = [
  { name: 'Bash', input_schema: { type: 'object', properties: { command: {} } } },
  { name: 'Write', input_schema: { type: 'object', properties: { file_path: {}, content: {} } } },
];
const KINDS: Readonly<Record<string, 'execute' | 'edit' | 'other'>> = {
  Bash: 'execute',
  Write: 'edit',
};

const file = (id: string) =>
  join(process.env.HOME ?? '.', `${id.replaceAll(/[^a-z0-9-]/g, '')}.json`);
const sessionId = 'fake-1';
let messages: { role: string; content: unknown }[] = [];
let cwd = '.';
let client: Client | null = null;
let tools: { name: string; input_schema: unknown }[] = OWN_TOOLS;
let turn = new AbortController();

async function begin(params: { cwd: string; mcpServers: readonly object[] }): Promise<void> {
  cwd = params.cwd;
  for (const server of params.mcpServers) {
    if (!('url' in server && 'name' in server && 'headers' in server) || server.name !== 'svc')
      continue;
    const headers = Object.fromEntries(
      (server.headers as { name: string; value: string }[]).map((one) => [one.name, one.value]),
    );
    client = new Client({ name: 'fake agent', version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(String(server.url)), {
        requestInit: { headers },
      }) as Transport,
    );
    const reply = await client.listTools();
    tools = [
      ...OWN_TOOLS,
      ...reply.tools.map(({ name, inputSchema }) => ({
        name: `svc_${name}`,
        input_schema: inputSchema,
      })),
    ];
  }
}

const say = (context: AgentContext, update: object) =>
  context.notify('session/update', { sessionId, update: update as never });

async function ask(
  context: AgentContext,
  tries = TRIES,
): Promise<{ blocks: Block[]; stop: string; usage: unknown }> {
  const body = { model: process.env.MODEL ?? 'm', max_tokens: 1000, stream: true, messages, tools };
  const answer = await fetch(`${process.env.ANTHROPIC_BASE_URL}/v1/messages`, {
    method: 'POST',
    body: JSON.stringify(body),
    signal: turn.signal,
  });
  if (answer.status === 429 || answer.status >= 500) {
    if (tries > 1) return ask(context, tries - 1);
  }
  if (!answer.ok || answer.body === null)
    throw new Error(`${answer.status} ${await answer.text()}`);
  const blocks: Block[] = [];
  let [stop, input, output, read, written] = ['end_turn', 0, 0, 0, 0];
  const sends: Promise<unknown>[] = [];
  const parser = createParser({
    onEvent({ data }) {
      const event = JSON.parse(data);
      const part = event.delta ?? {};
      if (event.type === 'message_start') {
        const { usage } = event.message;
        input = usage.input_tokens;
        read = usage.cache_read_input_tokens;
        written = usage.cache_creation_input_tokens;
      }
      if (event.type === 'content_block_start')
        blocks.push({ text: '', thinking: '', json: '', ...event.content_block });
      if (event.type === 'message_delta')
        [stop, output] = [part.stop_reason, event.usage.output_tokens];
      const block = blocks.at(-1);
      if (event.type !== 'content_block_delta' || !block) return;
      block.text += part.text ?? '';
      block.json += part.partial_json ?? '';
      const content = { type: 'text', text: part.text ?? part.thinking ?? '' };
      if (part.text) sends.push(say(context, { sessionUpdate: 'agent_message_chunk', content }));
      if (part.thinking)
        sends.push(say(context, { sessionUpdate: 'agent_thought_chunk', content }));
    },
  });
  for await (const chunk of answer.body) parser.feed(Buffer.from(chunk).toString());
  await Promise.all(sends);
  return {
    blocks,
    stop,
    usage: {
      inputTokens: input,
      outputTokens: output,
      cachedReadTokens: read,
      cachedWriteTokens: written,
      totalTokens: input + output + read + written,
    },
  };
}

const shell = (command: string) =>
  new Promise<string>((resolve) => {
    const child: ChildProcess = spawn('sh', ['-c', command], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let out = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => (out += chunk));
    const kill = () => child.pid && process.kill(-child.pid, 'SIGKILL');
    turn.signal.addEventListener('abort', kill, { once: true });
    child.once('close', () => {
      turn.signal.removeEventListener('abort', kill);
      resolve(out);
    });
  });

async function use(
  name: string,
  input: Record<string, unknown>,
): Promise<{ text: string; failed: boolean }> {
  if (name !== 'Bash' && name !== 'Write' && !tools.some((tool) => tool.name === name))
    return { text: `There is no tool ${name}.`, failed: true };
  if (name === 'Bash') return { text: await shell(String(input.command)), failed: false };
  if (name === 'Write') {
    writeFileSync(join(cwd, String(input.file_path)), String(input.content));
    return { text: 'Written.', failed: false };
  }
  const call = { name: name.replace(/^svc_/, ''), arguments: input };
  const result = CallToolResultSchema.parse(
    await client?.callTool(call, undefined, { signal: turn.signal }),
  );
  return {
    text: result.content.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    failed: result.isError === true,
  };
}

async function run(context: AgentContext, { id: toolCallId, name, json }: Block) {
  const rawInput = JSON.parse(json || '{}');
  const call = {
    toolCallId,
    title: name,
    kind: KINDS[name] ?? 'other',
    status: 'pending' as const,
    rawInput,
  };
  await say(context, { sessionUpdate: 'tool_call', ...call });
  const options = [
    { optionId: 'yes', name: 'Yes', kind: 'allow_once' as const },
    { optionId: 'no', name: 'No', kind: 'reject_once' as const },
  ];
  const { outcome }: { outcome: { outcome: string; optionId?: string } } = await context.request(
    'session/request_permission',
    {
      sessionId,
      toolCall: call,
      options,
    },
  );
  const allowed = outcome.optionId === 'yes';
  const { text, failed } = allowed
    ? await use(name, rawInput).catch((error) => ({ text: String(error), failed: true }))
    : { text: 'The user refused.', failed: true };
  const content = [{ type: 'content', content: { type: 'text', text } }];
  await say(context, {
    sessionUpdate: 'tool_call_update',
    toolCallId,
    status: failed ? 'failed' : 'completed',
    content,
  });
  return { type: 'tool_result', tool_use_id: toolCallId, content: text, is_error: failed };
}

async function play(context: AgentContext) {
  const sum = {
    inputTokens: 0,
    outputTokens: 0,
    cachedReadTokens: 0,
    cachedWriteTokens: 0,
    totalTokens: 0,
  };
  for (;;) {
    const { blocks, stop, usage } = await ask(context);
    for (const [name, tokens] of Object.entries(usage as typeof sum))
      sum[name as keyof typeof sum] += tokens;
    const content = blocks
      .filter(({ type }) => type !== 'thinking')
      .map(({ type, id, name, text, json }) =>
        type === 'text' ? { type, text } : { type, id, name, input: JSON.parse(json || '{}') },
      );
    messages.push({ role: 'assistant', content });
    const calls = blocks.filter(({ type }) => type === 'tool_use');
    if (calls.length === 0) {
      const stopReason =
        stop === 'max_tokens' || stop === 'refusal' ? (stop as 'refusal') : ('end_turn' as const);
      return { stopReason, usage: sum };
    }
    const results = [];
    for (const call of calls) results.push(await run(context, call));
    messages.push({ role: 'user', content: results });
    turn.signal.throwIfAborted();
  }
}

agent({ name: 'fake' })
  .onRequest('initialize', () => ({
    protocolVersion: 1,
    agentCapabilities: { loadSession: true, mcpCapabilities: { http: true } },
  }))
  .onRequest('session/new', async ({ params }) => {
    await begin(params);
    return { sessionId };
  })
  .onRequest('session/load', async ({ params }) => {
    if (!existsSync(file(params.sessionId))) throw new Error('there is no such session');
    messages = JSON.parse(readFileSync(file(params.sessionId), 'utf8'));
    await begin(params);
    return {};
  })
  .onRequest('session/prompt', async ({ params, client: context }) => {
    turn = new AbortController();
    messages.push({ role: 'user', content: params.prompt });
    try {
      return await play(context);
    } catch (error) {
      if (turn.signal.aborted) return { stopReason: 'cancelled' as const };
      throw error;
    } finally {
      writeFileSync(file(sessionId), JSON.stringify(messages));
    }
  })
  .onNotification('session/cancel', () => turn.abort())
  .connect(
    ndJsonStream(
      Writable.toWeb(process.stdout),
      Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
    ),
  );

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ReadTool } from '../../../../src/contract/planning/chat.ts';
import { MAX_LOOKUP_CHARS } from '../../../../src/base/limits/intakeLimits.ts';
import { listToolNames } from '../../../../src/executors/tools/catalogue/buildToolCatalogue.ts';
import { type LookedUp, openChatHost, shopTools } from '../../../support/agents/chatTools.ts';

const test = suite('tools of a plan-mode chat');

async function connectClient({ url, token }: { url: string; token: string }) {
  const client = new Client({ name: 'test agent', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  await client.connect(transport as Transport);
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const result = CallToolResultSchema.parse(await client.callTool({ name, arguments: args }));
    const text = result.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
    return { text, failed: result.isError === true };
  };
  return { client, call };
}

const createWaitingTool = (): { tool: ReadTool; begun: Promise<AbortSignal> } => {
  let begin: (signal: AbortSignal) => void = () => {};
  const begun = new Promise<AbortSignal>((resolve) => {
    begin = resolve;
  });
  const tool: ReadTool = {
    name: 'scm_search_code',
    description: 'Searches.',
    inputSchema: { type: 'object' },
    run: (_args, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({ text: 'stopped', failed: true }));
        begin(signal);
      }),
  };
  return { tool, begun };
};

test('a client is offered the tools of the turn, each as one that only reads', async () => {
  await using host = await openChatHost();
  const { client } = await connectClient(host.open(shopTools([])));
  const { tools } = await client.listTools();
  assert.equal(
    tools.map(({ name }) => name),
    ['scm_read_file', 'tracker_get_issue'],
  );
  for (const { annotations } of tools) assert.is(annotations?.readOnlyHint, true);
});

test('a look-up is carried out with its arguments, and its answer comes back', async () => {
  const lookups: LookedUp[] = [];
  await using host = await openChatHost();
  const { call } = await connectClient(host.open(shopTools(lookups)));
  assert.equal(await call('tracker_get_issue', { id: 'SHOP-1' }), {
    text: 'SHOP-1: the price is wrong',
    failed: false,
  });
  assert.equal(lookups, [{ name: 'tracker_get_issue', args: { id: 'SHOP-1' } }]);
});

test('no tool of a job exists in a chat', async () => {
  const lookups: LookedUp[] = [];
  await using host = await openChatHost();
  const { call } = await connectClient(host.open(shopTools(lookups)));
  for (const name of listToolNames(['local']).filter((one) => one !== 'scm_read_file')) {
    const { text, failed } = await call(name);
    assert.ok(failed, name);
    assert.match(text, `The tool ${name} does not exist.`);
  }
  assert.equal(lookups, []);
});

test('an answer has its secrets taken out, its control characters shown and at most the length of a look-up', async () => {
  const long = `secret-4711\u0000${'x'.repeat(MAX_LOOKUP_CHARS * 2)}`;
  await using host = await openChatHost((text) => text.replaceAll('secret-4711', '[secret]'));
  const { call } = await connectClient(host.open(shopTools([], { scm_read_file: long })));
  const { text } = await call('scm_read_file', { path: 'a' });
  assert.not.match(text, 'secret-4711');
  assert.match(text, '[secret]\ufffdxxx');
  assert.ok(text.length < MAX_LOOKUP_CHARS + 100, `${text.length} characters`);
});

test('a tool that throws is an answer that failed', async () => {
  await using host = await openChatHost();
  const broken: ReadTool = {
    name: 'scm_list_files',
    description: 'Lists.',
    inputSchema: { type: 'object' },
    run: () => Promise.reject(new Error('the mirror is gone')),
  };
  const { call } = await connectClient(host.open([broken]));
  assert.equal(await call('scm_list_files'), { text: 'the mirror is gone', failed: true });
});

test('two turns have tool servers of their own: the token of one opens no other', async () => {
  await using host = await openChatHost();
  const [one, other] = [host.open(shopTools([])), host.open(shopTools([]))];
  assert.is.not(one.url, other.url);
  const answer = await fetch(other.url, {
    method: 'POST',
    headers: { authorization: `Bearer ${one.token}` },
  });
  assert.is(answer.status, 401);
});

test('at the end of the turn a look-up that runs is stopped, and the path is gone', async () => {
  await using host = await openChatHost();
  const { tool, begun } = createWaitingTool();
  const opened = host.open([tool]);
  const { call } = await connectClient(opened);
  const answer = call('scm_search_code');
  const signal = await begun;
  opened.close();
  assert.is(signal.aborted, true);
  assert.equal(await answer, { text: 'stopped', failed: true });
  const after = await fetch(opened.url, {
    method: 'POST',
    headers: { authorization: `Bearer ${opened.token}` },
  });
  assert.is(after.status, 404);
});

test.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openModelServer } from '../../demo/model/server.ts';
import { readEvents, post } from '../support/agents/modelClient.ts';

const test = suite('model anthropic');

const TOOLS = [
  { name: 'Bash', input_schema: { type: 'object', properties: { command: { type: 'string' } } } },
  {
    name: 'mcp__svc__escalate',
    input_schema: { type: 'object', properties: { message: { type: 'string' } } },
  },
];
const scripts = {
  work: [
    {
      think: 'Let me look.',
      say: 'I look at the files that exist.',
      calls: [{ shell: 'ls' }, { svc: 'escalate', args: { message: 'help' } }],
      tokens: { input: 100, output: 7, cached: 40 },
    },
    { say: 'The folder is empty.', tokens: { input: 120, output: 3, cached: 0 } },
  ],
};
const ask = (rest: object) => ({
  model: 'claude-sonnet-4-5',
  max_tokens: 100,
  tools: TOOLS,
  ...rest,
});
const first = [{ role: 'user', content: '@@work please' }];
const conversation = [
  ...first,
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'I look at the files that exist.' },
      { type: 'tool_use', id: 'call_1_1', name: 'Bash', input: { command: 'ls' } },
      { type: 'tool_use', id: 'call_1_2', name: 'mcp__svc__escalate', input: { message: 'help' } },
    ],
  },
  {
    role: 'user',
    content: [
      {
        type: 'tool_result',
        tool_use_id: 'call_1_1',
        content: [{ type: 'text', text: 'README.md @@other' }],
      },
      { type: 'tool_result', tool_use_id: 'call_1_2', content: 'no', is_error: true },
    ],
  },
];
const usage = {
  input_tokens: 60,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 40,
  output_tokens: 7,
};

test('a whole reply holds thoughts, text, calls and usage', async () => {
  await using server = await openModelServer({ scripts });
  const response = await post(server, '/v1/messages?beta=true', ask({ messages: first }));
  assert.is(response.headers.get('content-type'), 'application/json');
  assert.equal(await response.json(), {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content: [
      { type: 'thinking', thinking: 'Let me look.', signature: 'c2lnbmVk' },
      { type: 'text', text: 'I look at the files that exist.' },
      { type: 'tool_use', id: 'call_1_1', name: 'Bash', input: { command: 'ls' } },
      { type: 'tool_use', id: 'call_1_2', name: 'mcp__svc__escalate', input: { message: 'help' } },
    ],
    stop_reason: 'tool_use',
    stop_sequence: null,
    usage,
  });
});

test('answers of tools lead to the next step; text in them chooses no script', async () => {
  await using server = await openModelServer({ scripts });
  const reply = await (await post(server, '/v1/messages', ask({ messages: conversation }))).json();
  assert.equal(reply.content, [{ type: 'text', text: 'The folder is empty.' }]);
  assert.is(reply.stop_reason, 'end_turn');
});

test('a stream brings every block from its start to its stop, and the usage at the end', async () => {
  await using server = await openModelServer({ scripts });
  const delta = (index: number, data: object) => ({
    event: 'content_block_delta',
    data: { type: 'content_block_delta', index, delta: data },
  });
  const start = (index: number, block: object) => ({
    event: 'content_block_start',
    data: { type: 'content_block_start', index, content_block: block },
  });
  const stop = (index: number) => ({
    event: 'content_block_stop',
    data: { type: 'content_block_stop', index },
  });
  const response = await post(server, '/v1/messages', ask({ messages: first, stream: true }));
  assert.is(response.headers.get('content-type'), 'text/event-stream');
  assert.equal(await readEvents(response), [
    {
      event: 'message_start',
      data: {
        type: 'message_start',
        message: {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          model: 'claude-sonnet-4-5',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { ...usage, output_tokens: 1 },
        },
      },
    },
    { event: 'ping', data: { type: 'ping' } },
    start(0, { type: 'thinking', thinking: '', signature: '' }),
    delta(0, { type: 'thinking_delta', thinking: 'Let me look.' }),
    delta(0, { type: 'signature_delta', signature: 'c2lnbmVk' }),
    stop(0),
    start(1, { type: 'text', text: '' }),
    delta(1, { type: 'text_delta', text: 'I look at the files that' }),
    delta(1, { type: 'text_delta', text: ' exist.' }),
    stop(1),
    start(2, { type: 'tool_use', id: 'call_1_1', name: 'Bash', input: {} }),
    delta(2, { type: 'input_json_delta', partial_json: '{"command":"ls"}' }),
    stop(2),
    start(3, { type: 'tool_use', id: 'call_1_2', name: 'mcp__svc__escalate', input: {} }),
    delta(3, { type: 'input_json_delta', partial_json: '{"message":"help"}' }),
    stop(3),
    {
      event: 'message_delta',
      data: {
        type: 'message_delta',
        delta: { stop_reason: 'tool_use', stop_sequence: null },
        usage: { output_tokens: 7 },
      },
    },
    { event: 'message_stop', data: { type: 'message_stop' } },
  ]);
});

test('a message in the role of the system is no word of the user, but can name the script', async () => {
  await using server = await openModelServer({ scripts });
  const messages = [
    { role: 'user', content: 'Hello' },
    { role: 'system', content: [{ type: 'text', text: 'You play @@work.' }] },
  ];
  const reply = await (
    await post(
      server,
      '/v1/messages',
      ask({ messages, system: [{ type: 'text', text: 'Be kind.' }] }),
    )
  ).json();
  assert.is(reply.stop_reason, 'tool_use');
  assert.is(server.requests.played[0]?.script, 'work');
});

test('tokens are counted, models listed, and a look at the address is answered', async () => {
  await using server = await openModelServer({ scripts });
  const body = { model: 'm', messages: [{ role: 'user', content: 'Hello' }] };
  const reply = await post(server, '/v1/messages/count_tokens?beta=true', body);
  assert.equal(await reply.json(), { input_tokens: Math.ceil(JSON.stringify(body).length / 4) });
  const models = await (await fetch(`${server.url}/v1/models`)).json();
  assert.equal(
    models.data.map(({ id }: { id: string }) => id),
    ['claude-sonnet-4-5', 'scripted'],
  );
  const head = await fetch(server.url, { method: 'HEAD' });
  assert.equal(head.status, 200);
  assert.equal(await head.text(), '');
});

test.run();

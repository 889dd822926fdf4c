import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openModelServer } from '../../demo/model/server.ts';
import { readEvents, post } from '../support/agents/modelClient.ts';

const test = suite('model openai responses');

/** codex' names: the tools of the job are in a namespace, and no tool for files exists. */
const TOOLS = [
  {
    type: 'function',
    name: 'exec_command',
    parameters: { type: 'object', properties: { cmd: {} } },
  },
  {
    type: 'namespace',
    name: 'mcp__svc',
    tools: [{ type: 'function', name: 'escalate', parameters: { properties: {} } }],
  },
];
const tokens = { input: 100, output: 7, cached: 40 };
const scripts = {
  work: [
    {
      think: 'Hm.',
      say: 'I ask.',
      calls: [{ svc: 'escalate', args: { message: 'help' } }],
      tokens,
    },
    { calls: [{ write: 'a.txt', content: "it's" }], tokens },
    { say: 'cut', stop: 'max_tokens' as const, tokens },
  ],
};
const ask = (rest: object) => ({ model: 'codex', instructions: 'Be kind.', tools: TOOLS, ...rest });
const first = [
  { type: 'message', role: 'user', content: [{ type: 'input_text', text: '@@work' }] },
];
const createResponse = (...outputs: string[]) => [
  ...first,
  ...outputs.flatMap((output) => [
    { type: 'function_call', call_id: 'c', name: 'escalate', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c', output },
  ]),
];

const reasoning = {
  type: 'reasoning',
  id: 'msg_1_r',
  summary: [{ type: 'summary_text', text: 'Hm.' }],
};
const message = {
  type: 'message',
  id: 'msg_1_m',
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', text: 'I ask.', annotations: [] }],
};
const call = {
  type: 'function_call',
  id: 'fc_call_1_1',
  call_id: 'call_1_1',
  status: 'completed',
  name: 'escalate',
  namespace: 'mcp__svc',
  arguments: '{"message":"help"}',
};
const response = {
  id: 'msg_1',
  object: 'response',
  created_at: 0,
  model: 'codex',
  status: 'completed',
  incomplete_details: null,
  output: [reasoning, message, call],
  usage: {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 40 },
    output_tokens: 7,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 107,
  },
};

test('a whole response holds thoughts, text, calls with their namespace, and usage', async () => {
  await using server = await openModelServer({ scripts });
  assert.equal(await (await post(server, '/v1/responses', ask({ input: first }))).json(), response);
});

test('what has no tool for files writes them with the shell', async () => {
  await using server = await openModelServer({ scripts });
  const { output } = await (
    await post(server, '/v1/responses', ask({ input: createResponse('asked') }))
  ).json();
  assert.equal(
    output.map(({ name, arguments: args }: { name: string; arguments: string }) => [
      name,
      JSON.parse(args),
    ]),
    [['exec_command', { cmd: "printf '%s' 'it'\\''s' > 'a.txt'" }]],
  );
});

test('a response that was cut short says why', async () => {
  await using server = await openModelServer({ scripts });
  const { status, incomplete_details } = await (
    await post(server, '/v1/responses', ask({ input: createResponse('asked', 'written') }))
  ).json();
  assert.equal(
    { status, incomplete_details },
    { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
  );
});

test('a stream numbers its events and brings every item from added to done', async () => {
  await using server = await openModelServer({ scripts });
  const events = [
    {
      type: 'response.created',
      response: { ...response, status: 'in_progress', output: [], usage: null },
    },
    { type: 'response.output_item.added', output_index: 0, item: reasoning },
    {
      type: 'response.reasoning_summary_text.delta',
      item_id: 'msg_1_r',
      output_index: 0,
      summary_index: 0,
      delta: 'Hm.',
    },
    { type: 'response.output_item.done', output_index: 0, item: reasoning },
    {
      type: 'response.output_item.added',
      output_index: 1,
      item: { ...message, status: 'in_progress', content: [] },
    },
    {
      type: 'response.output_text.delta',
      item_id: 'msg_1_m',
      output_index: 1,
      content_index: 0,
      delta: 'I ask.',
    },
    {
      type: 'response.output_text.done',
      item_id: 'msg_1_m',
      output_index: 1,
      content_index: 0,
      text: 'I ask.',
    },
    { type: 'response.output_item.done', output_index: 1, item: message },
    {
      type: 'response.output_item.added',
      output_index: 2,
      item: { ...call, status: 'in_progress', arguments: '' },
    },
    {
      type: 'response.function_call_arguments.delta',
      item_id: call.id,
      output_index: 2,
      delta: call.arguments,
    },
    {
      type: 'response.function_call_arguments.done',
      item_id: call.id,
      output_index: 2,
      arguments: call.arguments,
    },
    { type: 'response.output_item.done', output_index: 2, item: call },
    { type: 'response.completed', response },
  ];
  assert.equal(
    await readEvents(await post(server, '/v1/responses', ask({ input: first, stream: true }))),
    events.map((data, index) => ({ event: data.type, data: { ...data, sequence_number: index } })),
  );
});

test.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openModelServer } from '../../demo/model/server.ts';
import { readEvents, post } from '../support/agents/modelClient.ts';

const test = suite('model gemini');

const declare = (name: string, ...fields: string[]) => ({
  name,
  parametersJsonSchema: {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field, {}])),
  },
});
const tools = [
  {
    functionDeclarations: [
      declare('run_shell_command', 'command', 'description'),
      declare('read_file', 'file_path'),
    ],
  },
  { functionDeclarations: [declare('mcp_svc_escalate', 'message')] },
];
const tokens = { input: 100, output: 7, cached: 40 };
const scripts = {
  work: [
    {
      think: 'Hm.',
      say: 'I read and ask.',
      calls: [{ read: 'a.txt' }, { svc: 'escalate', args: { message: 'help' } }],
      tokens,
    },
    { say: 'No more.', stop: 'max_tokens' as const, tokens },
  ],
};
const first = [{ role: 'user', parts: [{ text: '@@work' }] }];
const conversation = [
  ...first,
  { role: 'model', parts: [{ functionCall: { name: 'read_file', args: {} } }] },
  {
    role: 'user',
    parts: [
      { functionResponse: { name: 'read_file', response: { output: 'A' } } },
      { functionResponse: { name: 'mcp_svc_escalate', response: { error: 'no' } } },
    ],
  },
];
const ask = (contents: unknown) => ({
  contents,
  tools,
  systemInstruction: { parts: [{ text: 'Be kind.' }] },
});
const MODEL = '/v1beta/models/gemini-2.5-pro';
const usageMetadata = {
  promptTokenCount: 100,
  candidatesTokenCount: 7,
  totalTokenCount: 107,
  cachedContentTokenCount: 40,
};
const chunk = (parts: object[], rest: object = {}, usage: object = {}) => ({
  candidates: [{ content: { role: 'model', parts }, ...rest, index: 0 }],
  ...usage,
  modelVersion: 'gemini-2.5-pro',
  responseId: 'msg_1',
});
const calls = [
  { functionCall: { id: 'call_1_1', name: 'read_file', args: { file_path: 'a.txt' } } },
  { functionCall: { id: 'call_1_2', name: 'mcp_svc_escalate', args: { message: 'help' } } },
];

test('a whole reply holds thoughts, text, calls and usage; the model is in the address', async () => {
  await using server = await openModelServer({ scripts });
  const reply = await (await post(server, `${MODEL}:generateContent`, ask(first))).json();
  const parts = [{ text: 'Hm.', thought: true }, { text: 'I read and ask.' }, ...calls];
  assert.equal(reply, chunk(parts, { finishReason: 'STOP' }, { usageMetadata }));
});

test('a stream brings the same in pieces', async () => {
  await using server = await openModelServer({ scripts });
  const events = await readEvents(
    await post(server, `${MODEL}:streamGenerateContent?alt=sse`, ask(first)),
  );
  assert.equal(events, [
    chunk([{ text: 'Hm.', thought: true }]),
    chunk([{ text: 'I read and ask.' }]),
    chunk(calls, { finishReason: 'STOP' }, { usageMetadata }),
  ]);
});

test('answers of tools, failed ones too, lead to the next step', async () => {
  await using server = await openModelServer({ scripts });
  const reply = await (await post(server, `${MODEL}:generateContent`, ask(conversation))).json();
  assert.equal(
    reply,
    chunk([{ text: 'No more.' }], { finishReason: 'MAX_TOKENS' }, { usageMetadata }),
  );
});

test('tokens are counted', async () => {
  await using server = await openModelServer({ scripts });
  const body = { contents: first };
  const reply = await (await post(server, `${MODEL}:countTokens`, body)).json();
  assert.equal(reply, { totalTokens: Math.ceil(JSON.stringify(body).length / 4) });
});

test('what gemini puts around the output of a command is not part of it', async () => {
  const outputs: string[] = [];
  await using server = await openModelServer({
    scripts: {
      *work() {
        outputs.push((yield { read: 'a.txt' }).text);
        return 'Heard.';
      },
    },
  });
  const output =
    '<untrusted_context>\nOutput: # fail 0\nof <b>Output: all</b>\n</untrusted_context>';
  const parts = [{ functionResponse: { name: 'run_shell_command', response: { output } } }];
  await (
    await post(server, `${MODEL}:generateContent`, ask([...first, { role: 'user', parts }]))
  ).json();
  assert.equal(outputs, ['# fail 0\nof <b>Output: all</b>']);
});

test.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openModelServer } from '../../demo/model/server.ts';
import { readEvents, post } from '../support/agents/modelClient.ts';

const test = suite('model openai chat');

const offer = (name: string, ...fields: string[]) => ({
  type: 'function',
  function: {
    name,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(fields.map((field) => [field, {}])),
    },
  },
});
/** opencode's names. */
const TOOLS = [
  offer('bash', 'command', 'description'),
  offer('write', 'filePath', 'content'),
  offer('svc_escalate', 'message'),
];
const tokens = { input: 100, output: 7, cached: 40 };
const scripts = {
  work: [
    { think: 'Hm.', say: 'I look.', calls: [{ shell: 'ls' }], tokens },
    {
      calls: [
        { write: 'a.txt', content: 'A' },
        { svc: 'escalate', args: { message: 'help' } },
      ],
      tokens,
    },
    { say: 'Done that.', tokens },
  ],
};
const ask = (rest: object) => ({ model: 'scripted', tools: TOOLS, ...rest });
const first = [
  { role: 'system', content: 'You play @@work.' },
  { role: 'user', content: [{ type: 'text', text: 'Go.' }] },
];
const usage = {
  prompt_tokens: 100,
  completion_tokens: 7,
  total_tokens: 107,
  prompt_tokens_details: { cached_tokens: 40 },
};
const lookCall = { name: 'bash', arguments: '{"command":"ls","description":"Runs a command"}' };

test('a whole reply holds thoughts, text, calls in the words of the agent, and usage', async () => {
  await using server = await openModelServer({ scripts });
  const response = await post(server, '/v1/chat/completions', ask({ messages: first }));
  assert.equal(await response.json(), {
    id: 'msg_1',
    object: 'chat.completion',
    created: 0,
    model: 'scripted',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: 'I look.',
          reasoning_content: 'Hm.',
          tool_calls: [{ id: 'call_1_1', type: 'function', function: lookCall }],
        },
        finish_reason: 'tool_calls',
      },
    ],
    usage,
  });
});

test('a step is over when all of its calls are answered', async () => {
  await using server = await openModelServer({ scripts });
  const calls = async (answers: string[]) => {
    const messages = [
      ...first,
      ...answers.map((content) => ({ role: 'tool', tool_call_id: 'x', content })),
    ];
    const reply = await (await post(server, '/chat/completions', ask({ messages }))).json();
    const { message } = reply.choices[0];
    return (message.tool_calls ?? []).map((call: { function: object }) => call.function);
  };
  const second = [
    { name: 'write', arguments: '{"filePath":"a.txt","content":"A"}' },
    { name: 'svc_escalate', arguments: '{"message":"help"}' },
  ];
  assert.equal(await calls([]), [lookCall]);
  assert.equal(await calls(['README.md']), second);
  assert.equal(await calls(['README.md', 'written']), second);
  assert.equal(await calls(['README.md', 'written', 'asked']), []);
});

test('a stream brings the pieces, the reason of its end, the usage and the end', async () => {
  await using server = await openModelServer({ scripts });
  const chunk = (delta: object, finish: string | null = null) => ({
    id: 'msg_1',
    object: 'chat.completion.chunk',
    created: 0,
    model: 'scripted',
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const response = await post(
    server,
    '/v1/chat/completions',
    ask({ messages: first, stream: true }),
  );
  assert.equal(await readEvents(response), [
    chunk({ role: 'assistant', content: '' }),
    chunk({ reasoning_content: 'Hm.' }),
    chunk({ content: 'I look.' }),
    chunk({
      tool_calls: [
        { index: 0, id: 'call_1_1', type: 'function', function: { name: 'bash', arguments: '' } },
      ],
    }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: '{"command":"ls","descrip' } }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: 'tion":"Runs a command"}' } }] }),
    chunk({}, 'tool_calls'),
    {
      id: 'msg_1',
      object: 'chat.completion.chunk',
      created: 0,
      model: 'scripted',
      choices: [],
      usage,
    },
    '[DONE]',
  ]);
});

test.run();

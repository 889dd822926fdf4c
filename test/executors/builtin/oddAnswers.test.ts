import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { UsageReport } from '../../../src/contract/session/usageReport.ts';
import {
  askPatiently,
  type Patience,
  QuotaFault,
  TurnFault,
} from '../../../src/executors/builtin/askPatiently.ts';
import { Conversation } from '../../../src/executors/builtin/conversation.ts';
import { ModelLimits } from '../../../src/executors/builtin/modelLimits.ts';
import { readBuiltinSettings } from '../../../src/executors/builtin/settings.ts';
import { type Clock, systemClock } from '../../../src/base/time/clock.ts';
import {
  events,
  openOddEndpoint,
  rightAnswer,
  type OddReply,
  type Wire,
} from '../../support/agents/endpoints/oddEndpoint.ts';
import { longLane } from '../../support/longLane.ts';
import { createPressedClock } from '../../support/pressedClock.ts';

const test = suite('builtin: odd answers of endpoints');
const long = longLane(test);

const SAID = 'All is done.';

interface AskOptions {
  conversation?: Conversation;
  limits?: ModelLimits;
  patience?: Partial<Patience>;
  settings?: Record<string, number>;
  clock?: Clock;
}

/** One for all: what it answers is up to the test that asks it. */
let answerNow: (body: Record<string, unknown>) => OddReply;
const endpoint = await openOddEndpoint((_n, body) => answerNow(body));
test.after(() => endpoint[Symbol.asyncDispose]());

/** Asks an endpoint as a session does, and answers all that came of it. */
async function ask(
  wire: Wire,
  answer: (n: number, body: Record<string, unknown>) => OddReply,
  {
    conversation,
    limits = new ModelLimits(),
    patience = {},
    settings: more = {},
    clock = systemClock,
  }: AskOptions = {},
) {
  const { url } = endpoint;
  const asked: Record<string, unknown>[] = [];
  answerNow = (body) => answer(asked.push(body) - 1, body);
  const settings = readBuiltinSettings({ api: wire, baseUrl: url, maxRetries: 2, ...more });
  const talk = conversation ?? new Conversation({ add: () => {} });
  if (conversation === undefined) talk.user('Begin.');
  const open = await endpoint.open(wire);
  const lines: string[] = [];
  const reports: UsageReport[] = [];
  let said = '';
  const known = limits.findLimits(settings.baseUrl, 'm');
  const reply = await askPatiently({
    settings,
    modelId: 'm',
    limits: known,
    clock,
    patience: { firstWaitMs: 1, longestWaitMs: 1_000, silenceMs: 5_000, ...patience },
    signal: new AbortController().signal,
    makeRoom: (refused) => {
      const room = talk.makeRoom(known.window(settings), 0, refused);
      if (room !== null) lines.push(room.line);
      return room !== null;
    },
    say: (line) => lines.push(line),
    onBroken: () => {
      said = '';
    },
    question: () => ({
      open,
      system: 'Be brief.',
      tools: [],
      messages: talk.messages,
      maxOutputTokens: known.output(settings),
      onPart: async ({ kind, text }) => {
        if (kind === 'text') said += text;
      },
      onUsage: async (report) => void reports.push(report),
    }),
  }).catch((error: unknown) => error);
  const end = reply instanceof Error ? reply : null;
  const text = end === null ? null : end.message;
  const fault =
    end instanceof TurnFault ? end.fault : end instanceof QuotaFault ? end.hit.kind : null;
  return { said, text, fault, lines, reports, asked };
}

const stream = (pieces: readonly unknown[], isComplete = true): OddReply => ({
  type: 'text/event-stream',
  body: events(pieces, isComplete),
});
const good = (wire: Wire): OddReply => stream(rightAnswer(wire, SAID), wire === 'openai');

/** A right answer with other pieces in its middle, or with one of its own changed. */
const withPieces = (wire: Wire, ...odd: unknown[]): OddReply => {
  const pieces = rightAnswer(wire, SAID);
  return stream([...pieces.slice(0, 1), ...odd, ...pieces.slice(1)], wire === 'openai');
};
const changePiece = (wire: Wire, at: number, piece: unknown): OddReply =>
  stream(rightAnswer(wire, SAID).with(at, piece as Record<string, unknown>));

const block = (index: number, content_block: unknown, ...deltas: unknown[]) => [
  { type: 'content_block_start', index, content_block },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
];

const ODD: readonly (readonly [Wire, string, OddReply])[] = [
  ['anthropic', 'an unknown event', withPieces('anthropic', { type: 'weather', sky: null })],
  [
    'anthropic',
    'an unknown event with a message',
    withPieces('anthropic', { type: 'notice', message: 'hi' }),
  ],
  [
    'anthropic',
    'an unknown block and its deltas',
    withPieces(
      'anthropic',
      ...block(
        5,
        { type: 'hologram', x: 1 },
        { type: 'text_delta', text: 'no' },
        { type: 'hologram_delta' },
      ),
    ),
  ],
  [
    'anthropic',
    'an unknown delta',
    withPieces(
      'anthropic',
      ...block(5, { type: 'text', text: '' }, { type: 'glow_delta', glow: 1 }),
    ),
  ],
  [
    'anthropic',
    'a delta of no block',
    withPieces('anthropic', {
      type: 'content_block_delta',
      index: 9,
      delta: { type: 'text_delta', text: 'no' },
    }),
  ],
  [
    'anthropic',
    'a citation',
    withPieces(
      'anthropic',
      ...block(
        5,
        { type: 'text', text: '', citations: null },
        { type: 'citations_delta', citation: { type: 'new' } },
      ),
    ),
  ],
  [
    'anthropic',
    'a beginning without usage',
    changePiece('anthropic', 0, { type: 'message_start', message: { id: 'a' } }),
  ],
  [
    'anthropic',
    'a beginning of nothing',
    changePiece('anthropic', 0, { type: 'message_start', message: null }),
  ],
  [
    'anthropic',
    'two beginnings',
    withPieces('anthropic', { type: 'message_start', message: { id: 'b' } }),
  ],
  [
    'anthropic',
    'an end without usage',
    changePiece('anthropic', 4, { type: 'message_delta', delta: { stop_reason: 'end_turn' } }),
  ],
  [
    'anthropic',
    'an end with more in it',
    changePiece('anthropic', 4, {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', container: 7, stop_details: 'x' },
      context_management: 'x',
      usage: { output_tokens: 7 },
    }),
  ],
  ['anthropic', 'a ping without a type', withPieces('anthropic', {}, null, [], 'null')],
  ['openai', 'an unknown event', withPieces('openai', { object: 'chat.progress', percent: 7 })],
  [
    'openai',
    'a piece without choices',
    withPieces('openai', { choices: null }, { prompt_filter_results: [] }),
  ],
  [
    'openai',
    'nothing in places of objects',
    withPieces(
      'openai',
      { choices: [{ delta: null }] },
      {
        choices: [{ delta: { content: null, tool_calls: null, role: null } }],
        usage: null,
        error: null,
      },
    ),
  ],
  ['openai', 'an unknown role', withPieces('openai', { choices: [{ delta: { role: 'model' } }] })],
  [
    'openai',
    'members of other types',
    withPieces('openai', {
      id: 7,
      created: '1',
      model: null,
      choices: [{ delta: { content: '' }, logprobs: 'x' }],
    }),
  ],
  ['openai', 'an empty error', withPieces('openai', { choices: [], error: {} })],
  ['openai', 'a list, a text and blank data', withPieces('openai', [], '"x"', 'null', ' ')],
  [
    'openai',
    'the whole message after its pieces',
    withPieces(
      'openai',
      { choices: [{ delta: { content: '' } }] },
      { choices: [{ message: { content: SAID } }] },
    ),
  ],
  [
    'openai',
    'a count that is not a number',
    withPieces('openai', '{"choices":[],"usage":{"prompt_tokens":NaN,"total_tokens":-Infinity}}'),
  ],
  [
    'openai',
    'a finish_reason of another type',
    changePiece('openai', 1, { choices: [{ index: 0, delta: {}, finish_reason: 7 }] }),
  ],
  [
    'openai',
    'a second choice',
    withPieces(
      'openai',
      { choices: [{ index: 1, delta: { content: 'no' } }] },
      { choices: [{ index: 1, delta: { content: 'no' }, finish_reason: 'stop' }, { index: 0 }] },
    ),
  ],
];

/** One of each kind: an event, a block, nothing in place of something, and what is missing. */
const ODD_SHORT = [
  'an unknown event',
  'an unknown block and its deltas',
  'a beginning of nothing',
  'an end without usage',
  'nothing in places of objects',
  'the whole message after its pieces',
  'a count that is not a number',
  'a finish_reason of another type',
  'a second choice',
];

for (const [wire, what, endpointReply] of ODD)
  (ODD_SHORT.includes(what) ? test : long)(
    `${wire}: ${what} does not break an answer`,
    async () => {
      const { said, text, asked } = await ask(wire, () => endpointReply);
      assert.equal([text, said, asked.length], [null, SAID, 1]);
    },
  );

test('openai: an endpoint that redirects is asked once, and where it leads is said without its query', async () => {
  const { text, fault, asked } = await ask('openai', () => (res) => {
    res.writeHead(302, { location: 'http://login.example/portal?ticket=7' }).end();
  });
  assert.is(asked.length, 1);
  assert.is(fault, 'refused');
  assert.match(
    text ?? '',
    /answers 302, a redirect to http:\/\/login\.example\/portal, which is not followed\. Check plugins\.installed\.builtin\.config\.baseUrl/,
  );
});

test('openai: an answer that is compressed, though svc does not ask for that, is named as such', async () => {
  const { text, fault, asked } = await ask('openai', () => (res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
    res.end(gzipSync('data: {}'));
  });
  assert.is(asked.length, 1);
  assert.is(fault, 'refused');
  assert.match(text ?? '', /with the content-encoding gzip, which svc does not ask for/);
});

test('openai: a status counts although the words of the refusal are compressed', async () => {
  const { fault } = await ask('openai', () => (res) => {
    res.writeHead(401, { 'content-encoding': 'gzip' }).end(gzipSync('no such key'));
  });
  assert.is(fault, 'refused');
});

/** Errors within a stream: the error, how often it is asked, the fault, and the words. */
const ERRORS: readonly (readonly [Wire, string, unknown, number, string, RegExp])[] = [
  [
    'openai',
    'vLLM',
    { error: { message: 'Engine died', type: 'InternalServerError', code: 500 } },
    3,
    'unreachable',
    /Engine died$/,
  ],
  [
    'openai',
    'vLLM, older',
    { object: 'error', message: 'Engine died', type: 'InternalServerError', code: 500 },
    3,
    'unreachable',
    /Engine died$/,
  ],
  [
    'openai',
    'Ollama',
    { error: 'llama runner process has terminated' },
    3,
    'unreachable',
    /llama runner process has terminated$/,
  ],
  [
    'openai',
    'llama.cpp',
    { error: { code: 500, message: 'failed to decode', type: 'server_error' } },
    3,
    'unreachable',
    /failed to decode$/,
  ],
  [
    'openai',
    'LiteLLM',
    { error: { message: 'litellm.APIError: upstream', type: null, param: null, code: '500' } },
    3,
    'unreachable',
    /upstream$/,
  ],
  [
    'openai',
    'TGI',
    { error: 'Request failed during generation', error_type: 'generation' },
    3,
    'unreachable',
    /during generation$/,
  ],
  [
    'openai',
    'OpenRouter',
    {
      id: 'a',
      choices: [{ delta: { content: '' }, finish_reason: 'error' }],
      error: { code: 'server_error', message: 'Provider disconnected' },
    },
    3,
    'unreachable',
    /Provider disconnected$/,
  ],
  [
    'openai',
    'OpenRouter, in a choice',
    { choices: [{ delta: {}, error: { code: 502, message: 'Upstream error' } }] },
    3,
    'unreachable',
    /Upstream error$/,
  ],
  [
    'openai',
    'a finish_reason',
    { choices: [{ delta: {}, finish_reason: 'error' }] },
    3,
    'unreachable',
    /finish_reason "error"/,
  ],
  [
    'openai',
    'a limit',
    { error: { code: 429, message: 'Rate limit reached' } },
    3,
    'throttled',
    /Rate limit reached$/,
  ],
  [
    'openai',
    'a request',
    { error: { message: 'bad image', type: 'BadRequestError', code: 400 } },
    1,
    'request-refused',
    /bad image$/,
  ],
  [
    'openai',
    'a key',
    { error: { message: 'no such key', code: 401 } },
    1,
    'refused',
    /no such key$/,
  ],
  [
    'openai',
    'JSON that is none',
    '{"choices":[{"del',
    3,
    'unreachable',
    /is not valid JSON: \{"choices":\[\{"del$/,
  ],
  [
    'anthropic',
    'Anthropic',
    { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    3,
    'overloaded',
    /Overloaded$/,
  ],
  [
    'anthropic',
    'Anthropic, a limit',
    { type: 'error', error: { type: 'rate_limit_error', message: 'Too fast' } },
    3,
    'throttled',
    /Too fast$/,
  ],
  [
    'anthropic',
    'Anthropic, its own',
    { type: 'error', error: { type: 'api_error', message: 'Internal' } },
    3,
    'unreachable',
    /Internal$/,
  ],
  [
    'anthropic',
    'Anthropic, a request',
    { type: 'error', error: { type: 'invalid_request_error', message: 'wrong' } },
    1,
    'request-refused',
    /wrong$/,
  ],
  [
    'anthropic',
    'an error as text',
    { type: 'error', error: 'it broke' },
    3,
    'unreachable',
    /it broke$/,
  ],
  [
    'anthropic',
    'a proxy of the other wire',
    { error: { message: 'upstream', code: 503 } },
    3,
    'unreachable',
    /upstream$/,
  ],
];

/** Of each wire one that is asked again and one that is not: the others differ in nothing here. */
const FIRST_SHORT = ['vLLM', 'a request', 'Anthropic', 'Anthropic, a request'];

/** One of each form of an error. */
const ERRORS_SHORT = [
  ...FIRST_SHORT,
  'Ollama',
  'OpenRouter, in a choice',
  'a limit',
  'JSON that is none',
  'an error as text',
];

for (const [wire, what, error, times, fault, says] of ERRORS) {
  (ERRORS_SHORT.includes(what) ? test : long)(
    `an error in a stream as of ${what} is quoted, and asked again where its status would be`,
    async () => {
      const [begin] = rightAnswer(wire, SAID);
      const result = await ask(wire, () => stream([begin, error], false));
      assert.equal([result.asked.length, result.fault], [times, fault]);
      assert.match(result.text ?? '', says);
    },
  );
  (FIRST_SHORT.includes(what) ? test : long)(
    `the same error of ${what} as the first piece`,
    async () => {
      const result = await ask(wire, () => stream([error], false));
      assert.equal([result.asked.length, result.fault], [times, fault]);
    },
  );
}

test('an error under a name of its own, as of older servers of llama.cpp, is quoted', async () => {
  const body = 'error: {"code":500,"message":"slot failed","type":"server_error"}\n\n';
  const { text, asked } = await ask('openai', () => ({ type: 'text/event-stream', body }));
  assert.match(text ?? '', /slot failed$/);
  assert.is(asked.length, 3);
});

test('words instead of events, of a proxy that names the type of the request, are quoted', async () => {
  const { text, asked } = await ask('openai', () => ({
    type: 'text/event-stream',
    body: 'upstream connect error or disconnect before headers',
  }));
  assert.match(text ?? '', /upstream connect error or disconnect before headers$/);
  assert.is(asked.length, 3);
});

const WHOLE: Readonly<Record<Wire, unknown>> = {
  openai: {
    id: 'a',
    object: 'chat.completion',
    model: 'm',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: SAID,
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'look', arguments: '{}' } }],
        },
        finish_reason: 'tool_calls',
      },
    ],
    usage: { prompt_tokens: 500, completion_tokens: 7 },
  },
  anthropic: {
    id: 'a',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [
      { type: 'text', text: SAID },
      { type: 'hologram' },
      { type: 'tool_use', id: 'c', name: 'look', input: {} },
    ],
    stop_reason: 'tool_use',
    usage: { input_tokens: 500, output_tokens: 7 },
  },
};

const SILENCE_MS = 300_000;

for (const wire of ['openai', 'anthropic'] as const) {
  test(`${wire}: an answer that comes as a whole is taken, with its calls and its tokens`, async () => {
    const { said, text, asked, reports } = await ask(wire, () => ({
      body: JSON.stringify(WHOLE[wire]),
    }));
    assert.equal([text, said, asked.length], [null, SAID, 1]);
    assert.equal(
      reports.map(({ usage, source }) => [usage.inputTokens, usage.outputTokens, source]),
      [[500, 7, undefined]],
    );
  });

  test(`${wire}: a stream under another type is read`, async () => {
    const body = events(rightAnswer(wire, SAID));
    for (const type of ['text/plain', 'application/json', null]) {
      const { said, text } = await ask(wire, () => ({ type, body }));
      assert.equal([text, said], [null, SAID]);
    }
  });

  test(`${wire}: a page instead of an answer is quoted with its type, and is not asked for again`, async () => {
    const { text, fault, asked } = await ask(wire, () => ({
      type: 'text/html; charset=utf-8',
      body: '<html><head><title>Sign in</title></head><body>Use your company account</body></html>',
    }));
    assert.equal([asked.length, fault], [1, 'refused']);
    assert.match(
      text ?? '',
      /^The model endpoint answers 200 with text\/html, which is not a model response: Sign in: Use your company account\. Check /,
    );
  });

  test(`${wire}: an error with status 200 counts as with its own`, async () => {
    const busy = await ask(wire, () => ({ body: '{"error":{"message":"busy","code":503}}' }));
    assert.equal([busy.asked.length, busy.fault], [3, 'unreachable']);
    const wrong = await ask(wire, () => ({ body: '{"error":{"message":"wrong","code":400}}' }));
    assert.equal([wrong.asked.length, wrong.fault], [1, 'request-refused']);
    assert.match(wrong.text ?? '', /wrong$/);
  });

  test(`${wire}: other JSON and text are quoted; nothing at all is asked for again`, async () => {
    const json = await ask(wire, () => ({ body: '{"status":"ok"}' }));
    assert.equal([json.asked.length, json.fault], [1, 'refused']);
    assert.match(
      json.text ?? '',
      /application\/json, which is not a model response: \{"status":"ok"\}/,
    );
    const words = await ask(wire, () => ({ type: 'text/plain', body: 'Hello from the proxy' }));
    assert.match(words.text ?? '', /text\/plain, .*: Hello from the proxy\. Check/);
    const nothing = await ask(wire, () => ({ type: null, body: '' }));
    assert.equal([nothing.asked.length, nothing.fault], [3, 'unreachable']);
  });

  for (const life of [': still here\n\n', 'event: ping\ndata: {"type":"ping"}\n\n', '\n'])
    (life === '\n' ? test : long)(
      `${wire}: ${JSON.stringify(life)} is a sign of life`,
      async () => {
        const [begin, ...rest] = rightAnswer(wire, SAID);
        const { clock, advance, restarted } = createPressedClock(SILENCE_MS);
        const { said, asked } = await ask(
          wire,
          () => async (res) => {
            res.writeHead(200, { 'content-type': 'text/event-stream' });
            let arrived = restarted();
            res.write(events([begin], false));
            for (let n = 0; n < 3; n += 1) {
              await arrived;
              advance(SILENCE_MS - 1);
              arrived = restarted();
              res.write(life);
            }
            await arrived;
            res.end(events(rest));
          },
          { clock, patience: { silenceMs: SILENCE_MS } },
        );
        assert.equal([said, asked.length], [SAID, 1]);
      },
    );

  test(`${wire}: silence breaks an answer off, and it is asked for again`, async () => {
    const { clock, advance, restarted } = createPressedClock(SILENCE_MS);
    const { said, asked, lines } = await ask(
      wire,
      (n) =>
        n > 0
          ? good(wire)
          : async (res) => {
              res.writeHead(200, { 'content-type': 'text/event-stream' });
              const arrived = restarted();
              res.write(events(rightAnswer(wire, SAID).slice(0, 1), false));
              await arrived;
              advance(SILENCE_MS);
            },
      { clock, patience: { silenceMs: SILENCE_MS } },
    );
    assert.equal([said, asked.length], [SAID, 2]);
    assert.match(lines.join('\n'), /nothing arrived for 300 s/);
  });

  test(`${wire}: an empty answer without usage is counted with its input`, async () => {
    const pieces = rightAnswer(wire, '');
    const bare =
      wire === 'openai'
        ? [{ choices: [{ delta: {}, finish_reason: 'stop' }] }]
        : pieces.map((piece) => ({ ...piece, usage: undefined, message: { id: 'a' } }));
    const { reports } = await ask(wire, () => stream(bare));
    assert.is(reports.length, 1);
    assert.is(reports[0]?.source, 'estimated');
    assert.ok((reports[0]?.usage.inputTokens ?? 0) > 0);
  });
}

/** A conversation whose tools have answered with so many characters each. */
function createConversation(...answers: number[]): Conversation {
  const talk = new Conversation({ add: () => {} });
  talk.user('Begin.');
  for (const [n, chars] of answers.entries()) {
    const call = { id: `c${n}`, name: 'look', input: {} };
    talk.addAnswer({
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: call.id, toolName: call.name, input: call.input }],
    });
    talk.answer(call, { text: `${n} ${'x'.repeat(chars)}`, failed: false });
  }
  return talk;
}

/** An endpoint that takes so many characters, and refuses more in these words. */
const takes =
  (chars: number, words: string | ((size: number) => unknown)) =>
  (_n: number, body: Record<string, unknown>): OddReply => {
    const size = JSON.stringify(body.messages).length;
    if (size <= chars) return good('openai');
    const error = typeof words === 'string' ? { error: words } : words(size);
    return { status: 400, body: JSON.stringify(error) };
  };

const LM_STUDIO = 'The number of tokens to keep is greater than the context length';

for (const [what, talk, most] of [
  [
    'many old answers',
    () => createConversation(...Array.from({ length: 12 }, () => 20_000)),
    60_000,
  ],
  [
    'answers among the newest messages',
    () => createConversation(15_000, 15_000, 15_000, 15_000),
    30_000,
  ],
  ['one huge answer, the last', () => createConversation(60_000), 9_000],
  [
    'many and a huge one',
    () => createConversation(30_000, 30_000, 30_000, 30_000, 30_000, 60_000),
    8_000,
  ],
] as const)
  (what === 'many and a huge one' ? test : long)(
    `a conversation that is too long is made shorter until it fits: ${what}`,
    async () => {
      const { said, text, asked, lines } = await ask('openai', takes(most, LM_STUDIO), {
        conversation: talk(),
      });
      assert.equal([text, said], [null, SAID]);
      assert.ok(asked.length > 1 && asked.length < 10, `${asked.length} requests`);
      assert.match(lines[0] ?? '', /not what m takes: it is made shorter\. Set .*contextWindow/);
      assert.match(lines[1] ?? '', /were folded/);
    },
  );

test('a refusal that names the window is used for what follows, also of the next session', async () => {
  const limits = new ModelLimits();
  const refuse = (size: number) => ({
    error: {
      code: 400,
      message: `request (${Math.round(size / 4)} tokens) exceeds the available context size (8192 tokens), try increasing it`,
      type: 'exceed_context_size_error',
      n_prompt_tokens: Math.round(size / 4),
      n_ctx: 8_192,
    },
  });
  const { said, asked, lines } = await ask('openai', takes(8_192 * 4, refuse), {
    conversation: createConversation(...Array.from({ length: 12 }, () => 5_000)),
    limits,
  });
  assert.equal([said, asked.length], [SAID, 2]);
  assert.equal(
    asked.map(({ max_tokens }) => max_tokens),
    [16_000, 2_048],
  );
  assert.match(
    lines[0] ?? '',
    /^The model endpoint says that m takes 8192 tokens\. .* Set plugins\.installed\.builtin\.config\.contextWindow to 8192 to keep it\.$/,
  );
});

test('a conversation that cannot be made shorter ends with what a person can set', async () => {
  const talk = new Conversation({ add: () => {} });
  talk.user('x'.repeat(50_000));
  const { text, fault, asked } = await ask('openai', takes(10_000, LM_STUDIO), {
    conversation: talk,
  });
  assert.equal([asked.length, fault], [1, 'request-refused']);
  assert.match(
    text ?? '',
    /context length\. It has no answers of tools that can be folded\. Set .*contextWindow/,
  );
});

test('an answer that is asked for too long is asked for shorter, and the conversation is left alone', async () => {
  const words =
    'max_tokens is too large: 16000. This model supports at most 4096 completion tokens, whereas you provided 16000.';
  const { said, asked, lines } = await ask('openai', (_n, { max_tokens }) =>
    Number(max_tokens) > 4_096
      ? { status: 400, body: JSON.stringify({ error: { message: words } }) }
      : good('openai'),
  );
  assert.is(said, SAID);
  assert.equal(
    asked.map(({ max_tokens }) => max_tokens),
    [16_000, 4_096],
  );
  assert.match(
    lines.join('\n'),
    /^The model endpoint refuses the length of the answer: m is asked for at most 4096 tokens\./,
  );
});

test.run();

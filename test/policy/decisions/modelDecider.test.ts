import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/base/time/clock.ts';
import { askDecider } from '../../../src/policy/decisions/askDecider.ts';
import { createModelDecider } from '../../../src/policy/decisions/deciders/modelDecider.ts';
import { aQuestion, goodAnswers } from '../../support/decisions/aQuestion.ts';

const test = suite('the model provider');

type Api = 'openai' | 'anthropic';
const LINE = '{"r":"none","c":0.91,"g":0.84,"s":0.4,"k":0.03}';
const MODEL = 'judge-1';

/** An answer as each wire format has it. */
const createReply = (api: Api, text: string, model: string): object =>
  api === 'openai'
    ? {
        id: 'chatcmpl-1',
        object: 'chat.completion',
        created: 1,
        model,
        choices: [
          { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: text } },
        ],
        usage: { prompt_tokens: 700, completion_tokens: 30, total_tokens: 730 },
      }
    : {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model,
        content: [{ type: 'text', text }],
        stop_reason: 'end_turn',
        stop_sequence: null,
        usage: { input_tokens: 700, output_tokens: 30 },
      };

interface Answer {
  api?: Api;
  text?: string;
  model?: string;
  status?: number;
  /** Body instead of an answer, with its type. */
  body?: [type: string, body: string];
}

/** What comes of a question to an endpoint that answers so, and what the endpoint was sent. */
async function askModelDecider({
  api = 'openai',
  text = LINE,
  model = MODEL,
  status = 200,
  body: answerBody,
}: Answer = {}) {
  const sent: { path: string; headers: NodeJS.Dict<string | string[]>; body: object }[] = [];
  const server = createServer(async (req, res) => {
    let body = '';
    for await (const part of req) body += part;
    sent.push({ path: req.url ?? '', headers: req.headers, body: JSON.parse(body) });
    const good = JSON.stringify(
      status === 200 ? createReply(api, text, model) : { error: 'overloaded' },
    );
    const [type, answer] = answerBody ?? ['application/json', good];
    res.writeHead(status, { 'content-type': type }).end(answer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const decider = createModelDecider({ api, baseUrl, apiKey: 'secret-key-1' });
  const outcome = await askDecider(
    decider,
    { ...aQuestion, model: MODEL, deadlineMs: 20_000 },
    { clock: systemClock, screen: (text) => text, signal: new AbortController().signal },
  );
  server.closeAllConnections();
  server.close();
  const { ms: _ms, ...rest } = outcome;
  return { outcome: rest, sent };
}

const RATED = { answers: goodAnswers, usage: { inputTokens: 700, outputTokens: 30 } };

for (const api of ['openai', 'anthropic'] as const) {
  test(`an answer of an endpoint of the kind ${api} is a rating, with what was used (OVR-2)`, async () => {
    assert.equal((await askModelDecider({ api })).outcome, RATED);
  });
}

test('an endpoint of the kind openai is asked at /chat/completions (OVR-2)', async () => {
  const { sent } = await askModelDecider();
  assert.equal(
    sent.map(({ path }) => path),
    ['/v1/chat/completions'],
  );
});

test('with its key (OVR-2)', async () => {
  const { sent } = await askModelDecider();
  assert.is(sent[0]?.headers.authorization, 'Bearer secret-key-1');
});

test('for an answer of 64 tokens at most (OVR-2)', async () => {
  const { sent } = await askModelDecider();
  assert.is(Object(sent[0]?.body).max_tokens, 64);
});

test('an endpoint of the kind anthropic is asked at /messages (OVR-2)', async () => {
  const { sent } = await askModelDecider({ api: 'anthropic' });
  assert.equal(
    sent.map(({ path }) => path),
    ['/v1/messages'],
  );
});

test('an answer within a fence counts (OVR-2)', async () => {
  assert.equal((await askModelDecider({ text: `\`\`\`json\n${LINE}\n\`\`\`` })).outcome, RATED);
});

test('praise beside the answer makes it none (OVR-2)', async () => {
  assert.ok('skipped' in (await askModelDecider({ text: `All is well. ${LINE}` })).outcome);
});

test('what cannot be used was paid for (OVR-2)', async () => {
  const { outcome } = await askModelDecider({ text: 'I cannot rate this.' });
  assert.equal(outcome.usage, RATED.usage);
});

test('the text of another model is a skip that names the id to pin (OVR-1)', async () => {
  const { outcome } = await askModelDecider({ model: 'judge-2' });
  assert.match(Object(outcome).skipped, /judge-2.*decision\.model/);
});

test('an endpoint that fails is asked once (OVR-2)', async () => {
  assert.is((await askModelDecider({ status: 529 })).sent.length, 1);
});

for (const [what, status, type, body, says] of [
  [
    'a refusal of any form',
    400,
    'application/json',
    '{"error":"no such model"}',
    /answers 400: no such model\.$/,
  ],
  [
    'a page',
    200,
    'text/html',
    '<title>Sign in</title>',
    /text\/html, which is not a model response: Sign in\.$/,
  ],
  [
    'an error with status 200',
    200,
    'application/json',
    '{"error":{"message":"busy"}}',
    /with an error: busy\.$/,
  ],
  [
    'the key',
    401,
    'application/json',
    '{"error":{"message":"wrong: secret-key-1"}}',
    /wrong: \[secret\]\.$/,
  ],
] as const)
  test(`${what} is quoted in the skip (OVR-2)`, async () => {
    const { outcome, sent } = await askModelDecider({ status, body: [type, body] });
    assert.match(Object(outcome).skipped, says);
    assert.is(sent.length, 1);
  });

test('blocks and members that svc does not know do not break an answer (OVR-2)', async () => {
  const body = JSON.stringify({
    ...createReply('anthropic', LINE, MODEL),
    content: [{ type: 'hologram' }, { type: 'text', text: LINE, citations: 7 }],
    container: 'x',
  });
  const { outcome } = await askModelDecider({ api: 'anthropic', body: ['application/json', body] });
  assert.equal(outcome, RATED);
});

test.run();

import { generateText } from 'ai';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { AnswerError } from '../../../src/executors/builtin/answerError.ts';
import { openOddEndpoint, type Wire } from '../../support/agents/endpoints/oddEndpoint.ts';

const test = suite('builtin: parameters that a model refuses');

const openai = (message: string, param: string | null, code: string | null) => ({
  error: { message, type: 'invalid_request_error', param, code },
});
const NO_MAX_TOKENS = openai(
  "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
  'max_tokens',
  'unsupported_parameter',
);
const NO_TEMPERATURE = openai(
  "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
  'temperature',
  'unsupported_value',
);
const AZURE = openai('Unrecognized request argument supplied: max_completion_tokens', null, null);
const MISTRAL = {
  object: 'error',
  message: {
    detail: [
      {
        type: 'extra_forbidden',
        loc: ['body', 'max_completion_tokens'],
        msg: 'Extra inputs are not permitted',
        input: 20,
      },
    ],
  },
  type: 'invalid_request_error',
};
const FOUNDRY = {
  error: {
    code: 400,
    message: 'Validation error at #/max_completion_tokens: Extra inputs are not permitted',
  },
};
const CLAUDE = {
  type: 'error',
  error: { type: 'invalid_request_error', message: '`temperature` is deprecated for this model.' },
};
const ANSWERS: Readonly<Record<Wire, object>> = {
  openai: {
    id: 'a',
    model: 'm',
    choices: [
      { index: 0, message: { role: 'assistant', content: 'Done.' }, finish_reason: 'stop' },
    ],
    usage: { prompt_tokens: 5, completion_tokens: 1 },
  },
  anthropic: {
    id: 'a',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [{ type: 'text', text: 'Done.' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 5, output_tokens: 1 },
  },
};

type SentBody = Readonly<Record<string, unknown>>;
/** What a server answers to a request; null = it takes it. */
type Refuses = (parameters: SentBody) => { status: number; body: object } | null;

/** Asks twice; the names of the parameters of each request that came, and the answer. */
async function ask(wire: Wire, refuses: Refuses) {
  await using endpoint = await openOddEndpoint((_n, parameters) => {
    const { status, body } = refuses(parameters) ?? { status: 200, body: ANSWERS[wire] };
    return { status, body: JSON.stringify(body) };
  });
  const { model } = await endpoint.open(wire);
  const said: string[] = [];
  for (const prompt of ['One.', 'Two.']) {
    const { text } = await generateText({
      model: model({ isStreamed: false }),
      prompt,
      maxOutputTokens: 20,
      temperature: 0,
      maxRetries: 0,
    });
    said.push(text);
  }
  const names = /max_tokens|max_completion_tokens|temperature/;
  const parameterNames = endpoint.asked.map((parameters) =>
    Object.keys(parameters).filter((name) => names.test(name)),
  );
  return { said, parameterNames };
}

const has =
  (name: string, body: object, status = 400): Refuses =>
  (parameters) =>
    name in parameters ? { status, body } : null;

test('max_tokens is sent under its newer name, and further requests begin with that', async () => {
  const { said, parameterNames } = await ask('openai', has('max_tokens', NO_MAX_TOKENS));
  assert.equal(said, ['Done.', 'Done.']);
  assert.equal(parameterNames, [
    ['max_tokens', 'temperature'],
    ['max_completion_tokens', 'temperature'],
    ['max_completion_tokens', 'temperature'],
  ]);
});

test('a model that reasons refuses both, one at a time', async () => {
  const both: Refuses = (parameters) =>
    has('max_tokens', NO_MAX_TOKENS)(parameters) ?? has('temperature', NO_TEMPERATURE)(parameters);
  const { parameterNames } = await ask('openai', both);
  assert.equal(parameterNames.slice(2), [['max_completion_tokens'], ['max_completion_tokens']]);
});

test('Anthropic: a temperature that is deprecated is left out', async () => {
  const { parameterNames } = await ask('anthropic', has('temperature', CLAUDE));
  assert.equal(parameterNames, [['max_tokens', 'temperature'], ['max_tokens'], ['max_tokens']]);
});

for (const [server, status, body] of [
  ['Azure', 400, AZURE],
  ['Mistral', 422, MISTRAL],
  ['Azure AI Foundry', 400, FOUNDRY],
] as const)
  test(`${server}: a name that is refused under both is an error with its words`, async () => {
    let requests = 0;
    const neither: Refuses = (parameters) => {
      requests += 1;
      return has('max_tokens', NO_MAX_TOKENS)(parameters) ?? { status, body };
    };
    const error = await ask('openai', neither).then(
      () => null,
      (failed: unknown) => failed,
    );
    assert.is(requests, 2);
    const root = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    assert.ok(root instanceof AnswerError);
    assert.match(root.message, 'max_completion_tokens');
  });

test('a length of the answer that is too large is no parameter that is refused', async () => {
  let requests = 0;
  const body = openai(
    'max_tokens is too large: 20. This model supports at most 10 completion tokens, and is not allowed more.',
    'max_tokens',
    'invalid_value',
  );
  const error = await ask('openai', () => {
    requests += 1;
    return { status: 400, body };
  }).then(
    () => null,
    (failed: unknown) => failed,
  );
  assert.ok(error);
  assert.is(requests, 1);
});

test.run();

import type { ModelMessage } from 'ai';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseSkillFile } from '../../../src/executors/builtin/skills.ts';
import { foldOld } from '../../../src/executors/builtin/foldOld.ts';
import { AnswerError, type AnswerFailure } from '../../../src/executors/builtin/answerError.ts';
import { toModelFault } from '../../../src/executors/builtin/toModelFault.ts';
import { parseRefusal } from '../../../src/executors/process/refusal/parseRefusal.ts';
import { readBuiltinSettings } from '../../../src/executors/builtin/settings.ts';
import { BoundedText } from '../../../src/base/text/boundedText.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';

const test = suite('builtin rules');

const call = (id: string, content: string): ModelMessage => ({
  role: 'assistant',
  content: [
    { type: 'text', text: 'I say something.' },
    { type: 'tool-call', toolCallId: id, toolName: 'Write', input: { file_path: 'a', content } },
  ],
});
const answer = (id: string, value: string): ModelMessage => ({
  role: 'tool',
  content: [
    { type: 'tool-result', toolCallId: id, toolName: 'Write', output: { type: 'text', value } },
  ],
});
const long = 'x'.repeat(1_000);
const note = (what: string) =>
  `[folded] ${what} (1000 characters) was taken out to make room. Call the tool again if you need it.`;

test('folding takes the oldest answers and arguments first, only as many as needed, and never words or what is new', () => {
  const start: ModelMessage = { role: 'user', content: long };
  const recent = [1, 2, 3, 4].flatMap((n) => [call(`r${n}`, long), answer(`r${n}`, long)]);
  const messages = [
    start,
    call('1', long),
    answer('1', long),
    call('2', 'short'),
    answer('2', long),
    ...recent,
  ];
  const folded = {
    argument: call('1', note('The argument content of Write')),
    answer: answer('1', note('The answer of Write')),
  };
  const one = foldOld(messages, 1);
  assert.equal(one.messages, [start, folded.argument, ...messages.slice(2)]);
  const saved = long.length - note('The argument content of Write').length;
  assert.equal(one.count, 1);
  assert.equal(one.chars, saved);
  const all = foldOld(messages, 1_000_000);
  assert.equal(all.messages, [
    start,
    folded.argument,
    folded.answer,
    call('2', 'short'),
    answer('2', note('The answer of Write')),
    ...recent,
  ]);
  assert.is(all.count, 3);
  assert.equal(
    foldOld(all.messages, 1_000_000),
    { messages: all.messages, count: 0, chars: 0 },
    'what is folded stays as it is',
  );
});

test('a fault is recognized by status, headers and text', () => {
  const now = Date.UTC(2026, 0, 1);
  const explainAnswer = (
    as: AnswerFailure['as'],
    status: number,
    body: unknown,
    retryAfter?: string,
  ) => {
    const text = JSON.stringify(body);
    const headers: Record<string, string> =
      retryAfter === undefined ? {} : { 'retry-after': retryAfter };
    const refusal = parseRefusal(text);
    return new AnswerError('An answer.', { as, status, headers, body, refusal });
  };
  const http = (status: number, message: string, retryAfter?: string) =>
    explainAnswer('refusal', status, { error: { message } }, retryAfter);
  const rest = { tooLong: null, output: null, quota: null, waitMs: null };
  const passing = { ...rest, kind: 'passing', as: 'refusal' };
  assert.equal(toModelFault(http(429, 'slow', '7'), 16_000, now), {
    ...passing,
    status: 429,
    said: 'slow',
    quota: { kind: 'throttled', window: null, resetsAt: now + 7_000 },
    waitMs: 7_000,
  });
  const date = new Date(now + 90_000).toUTCString();
  assert.equal(toModelFault(http(503, 'later', date), 16_000, now), {
    ...passing,
    status: 503,
    said: 'later',
    waitMs: 90_000,
  });
  assert.equal(toModelFault(http(529, 'full'), 16_000, now), {
    ...passing,
    status: 529,
    said: 'full',
    quota: { kind: 'overloaded', window: null, resetsAt: null },
  });
  assert.equal(toModelFault(http(401, 'who'), 16_000, now), {
    ...rest,
    kind: 'account',
    as: 'refusal',
    status: 401,
    said: 'who',
  });
  const tooLong = 'This model’s maximum context length is 8192 tokens.';
  assert.equal(toModelFault(http(400, tooLong), 16_000, now), {
    ...rest,
    kind: 'request',
    as: 'refusal',
    status: 400,
    said: tooLong,
    tooLong: { window: 8_192, asked: null },
  });
  const lost = new Error('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:1') });
  assert.equal(toModelFault(lost, 16_000, now), {
    ...passing,
    as: null,
    status: null,
    said: 'connect ECONNREFUSED 127.0.0.1:1',
  });
  const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
  assert.equal(toModelFault(explainAnswer('stream', 200, overloaded), 16_000, now), {
    ...passing,
    as: 'stream',
    status: null,
    said: 'Overloaded',
    quota: { kind: 'overloaded', window: null, resetsAt: null },
  });
  const wrong = { error: { type: 'invalid_request_error', message: 'no' } };
  assert.is(toModelFault(explainAnswer('stream', 200, wrong), 16_000, now).kind, 'request');
});

test('settings have defaults; addresses get a version; what cannot be is refused without quoting a secret', () => {
  assert.equal(readBuiltinSettings({}), {
    api: 'anthropic',
    baseUrl: null,
    apiKey: '',
    model: null,
    maxTurns: 200,
    maxRepeatedFailures: 10,
    maxOutputTokens: 16_000,
    contextWindow: 200_000,
    maxRetries: 6,
    maxTools: 1_000,
  });
  const address = (baseUrl: string) => readBuiltinSettings({ api: 'openai', baseUrl }).baseUrl;
  assert.is(address('http://127.0.0.1:11434'), 'http://127.0.0.1:11434/v1');
  assert.is(address('https://host/api/v4/'), 'https://host/api/v4');
  assert.is(readBuiltinSettings({ apiKey: 'key' }).baseUrl, 'https://api.anthropic.com/v1');
  assert.is(
    readBuiltinSettings({ api: 'openai', apiKey: 'key' }).baseUrl,
    null,
    'a key alone does not say whose it is',
  );
  const catchSettingsError = (config: Record<string, string | number>) => {
    try {
      return readBuiltinSettings(config);
    } catch (error) {
      return error instanceof SvcError ? [error.code, error.message] : error;
    }
  };
  const start = 'plugins.installed.builtin.config: ';
  assert.equal(catchSettingsError({ baseUrl: 'nowhere' }), [
    'config-invalid',
    `${start}"baseUrl" is not a URL; use one like http://127.0.0.1:11434.`,
  ]);
  assert.equal(catchSettingsError({ baseUrl: 'file:///etc' }), [
    'config-invalid',
    `${start}"baseUrl" must begin with http:// or https://.`,
  ]);
  assert.equal(catchSettingsError({ baseUrl: 'http://me:secret@host' }), [
    'config-invalid',
    `${start}"baseUrl" must contain no user name or password; use "apiKey".`,
  ]);
  assert.equal(catchSettingsError({ maxTurns: 0 }), [
    'config-invalid',
    `${start}"maxTurns" must be at least 1.`,
  ]);
});

test('a bounded text keeps beginning and end, however it comes', () => {
  for (const pieces of [['0123456789'.repeat(10)], [...'0123456789'.repeat(10)]]) {
    const text = new BoundedText(20);
    for (const piece of pieces) text.push(piece);
    assert.is(text.toString(), '0123456789\n[… 80 characters left out …]\n0123456789');
  }
  const short = new BoundedText(20);
  short.push('01234567890123456789');
  assert.is(short.toString(), '01234567890123456789');
});

for (const [what, change] of [
  ['a byte-order mark', (text: string) => `\ufeff${text}`],
  ['line ends of Windows', (text: string) => text.replaceAll('\n', '\r\n')],
  ['both', (text: string) => `\ufeff${text.replaceAll('\n', '\r\n')}`],
  ['line ends of an old Mac', (text: string) => text.replaceAll('\n', '\r')],
  ['spaces after the dashes', (text: string) => text.replaceAll('---\n', '---  \n')],
] as const)
  test(`the head of a skill’s file is read with ${what}`, () => {
    const { name, description, body } = parseSkillFile(
      change('---\nname: greet\ndescription: Says hello.\n---\nBody.\n'),
    );
    assert.equal([name, description, body.trim()], ['greet', 'Says hello.', 'Body.']);
  });

test('the head of a skill’s file is read, one without a head is all text', () => {
  const text = '---\nname: "greet"\ndescription: |\n  One.\n  Two.\nother: 1\n---\nBody\n';
  assert.equal(parseSkillFile(text), { name: 'greet', description: 'One. Two.', body: 'Body\n' });
  assert.equal(parseSkillFile('Just text.'), { name: null, description: '', body: 'Just text.' });
});

test.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openModelServer } from '../../demo/model/server.ts';
import type { Scripts, Step } from '../../demo/model/script.ts';
import { readEvents, post } from '../support/agents/modelClient.ts';

const test = suite('model endpoint');

const TOOLS = [{ name: 'Bash', input_schema: { properties: { command: {} } } }];
const user = (content: string) => ({ role: 'user', content });
const answer = (content: string, failed = false) => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: 'x', content, is_error: failed }],
});
const ask = (messages: unknown[], rest: object = {}) => ({
  model: 'm',
  messages,
  tools: TOOLS,
  ...rest,
});
const serve = (work: Step, more: Scripts = {}) =>
  openModelServer({ scripts: { work: [work], ...more } });

test('a program is played from its beginning with the answers so far: it can branch, and a retry changes nothing', async () => {
  const scripts: Scripts = {
    *fix({ said }) {
      const tests = yield { shell: 'npm test' };
      if (!tests.failed) return `Nothing to do for: ${said.join(' | ')}`;
      yield { say: 'It fails.', calls: [{ write: 'a.js', content: tests.text }] };
      return { say: 'Fixed.', stop: 'pause_turn' };
    },
  };
  await using server = await openModelServer({ scripts });
  const play = async (...messages: unknown[]) => {
    const { content, stop_reason } = await (
      await post(server, '/v1/messages', ask(messages))
    ).json();
    return [
      stop_reason,
      ...content.map((block: { text?: string; input?: object }) => block.text ?? block.input),
    ];
  };
  const begin = user('@@fix this');
  for (let round = 0; round < 2; round += 1)
    assert.equal(await play(begin), ['tool_use', { command: 'npm test' }]);
  assert.equal(await play(begin, answer('all pass'), user('and that')), [
    'end_turn',
    'Nothing to do for: @@fix this | and that',
  ]);
  const write = { command: "printf '%s' '1 fails' > 'a.js'" };
  assert.equal(await play(begin, answer('1 fails', true)), ['tool_use', 'It fails.', write]);
  assert.equal(await play(begin, answer('1 fails', true), answer('written')), [
    'pause_turn',
    'Fixed.',
  ]);
  const cutOff = answer('[restart] Unknown.', true);
  assert.equal(
    await play(begin, cutOff),
    ['tool_use', { command: 'npm test' }],
    'a call that was cut off is made again',
  );
  assert.equal(await play(begin, cutOff, answer('all pass')), [
    'end_turn',
    'Nothing to do for: @@fix this',
  ]);
});

test('the last marker of the user chooses, and steps are counted from there', async () => {
  await using server = await serve(
    { calls: [{ shell: 'one' }] },
    { next: [{ calls: [{ shell: 'two' }] }] },
  );
  const messages = [user('@@work'), answer('1'), user('now @@next')];
  const command = async (...more: unknown[]) => {
    const { content } = await (
      await post(server, '/v1/messages', ask([...messages, ...more]))
    ).json();
    return content[0].input ?? content[0].text;
  };
  assert.equal(await command(), { command: 'two' });
  assert.is(await command(answer('2')), 'Done.');
});

test('side requests get a word and count as none of the play; a marker without a script is a mistake that is named', async () => {
  await using server = await serve({ calls: [{ shell: 'one' }] });
  const sendAndReadText = async (body: object) =>
    (await (await post(server, '/v1/messages', body)).json()).content[0].text;
  assert.is(await sendAndReadText(ask([user('Find a title.')])), 'All right.');
  assert.is(await sendAndReadText({ ...ask([user('@@work')]), tools: [] }), 'All right.');
  const wrong = await post(server, '/v1/messages', ask([user('@@wrok')]));
  assert.is(wrong.status, 400);
  assert.equal(await wrong.json(), {
    type: 'error',
    error: { type: 'invalid_request_error', message: 'There is no script @@wrok. Scripts: work.' },
  });
  assert.equal(
    server.requests.all.map(({ number, script, outcome, status }) => [
      number,
      script,
      outcome,
      status,
    ]),
    [
      [1, null, 'answered', 200],
      [2, 'work', 'answered', 200],
      [3, 'wrok', 'failed', 400],
    ],
  );
});

test('failures come as often as asked, in the words of each wire, and then the step is played', async () => {
  for (const [status, type] of [
    [400, 'invalid_request_error'],
    [401, 'authentication_error'],
    [404, 'not_found_error'],
    [429, 'rate_limit_error'],
    [500, 'api_error'],
    [529, 'overloaded_error'],
  ] as const) {
    await using server = await serve({
      say: 'Here.',
      fail: { status, times: 2, retryAfter: '1', message: 'no' },
    });
    for (let round = 0; round < 2; round += 1) {
      const failed = await post(server, '/v1/messages', ask([user('@@work')]));
      assert.equal(failed.status, status);
      assert.equal(failed.headers.get('retry-after'), '1');
      assert.equal(await failed.json(), { type: 'error', error: { type, message: 'no' } });
    }
    assert.is((await post(server, '/v1/messages', ask([user('@@work')]))).status, 200);
  }
  await using server = await serve({ fail: { status: 529 } });
  const wires = await Promise.all([
    post(server, '/v1/chat/completions', { messages: [user('@@work')] }),
    post(server, '/v1/responses', { input: '@@work' }),
    post(server, '/v1beta/models/m:generateContent', {
      contents: [{ role: 'user', parts: [{ text: '@@work' }] }],
    }),
  ]);
  assert.equal(await Promise.all(wires.map((one) => one.json())), [
    { error: { message: 'Overloaded', type: 'server_error', code: 529 } },
    { error: { message: 'Overloaded', type: 'server_error', code: null } },
    { error: { code: 529, message: 'Overloaded', status: 'UNKNOWN' } },
  ]);
});

test('a client that goes away is noticed, also while nothing is said or in the middle of a stream', async () => {
  for (const hang of ['at once', 'midway'] as const) {
    await using server = await serve({ say: 'A long word and many more words after it.', hang });
    const controller = new AbortController();
    const request = post(
      server,
      '/v1/messages',
      ask([user('@@work')], { stream: true }),
      controller.signal,
    );
    await server.requests.until(({ script }) => script === 'work');
    if (hang === 'midway') {
      const reader = (await request).body?.getReader();
      for (let text = ''; !text.includes('A long word'); )
        text += new TextDecoder().decode((await reader?.read())?.value);
      assert.is(server.requests.all[0]?.outcome, null);
    }
    controller.abort();
    await request.catch(() => undefined);
    const { outcome, status } = await server.requests.until((one) => one.outcome !== null);
    assert.equal(outcome, 'disconnected');
    assert.equal(status, hang === 'midway' ? 200 : 0);
  }
});

test('a step waits before it begins and between its pieces', async () => {
  await using server = await serve({
    say: 'One piece of the text, and another one.',
    waitMs: 40,
    everyMs: 10,
  });
  const startedAt = performance.now();
  const events = await readEvents(
    await post(server, '/v1/messages', ask([user('@@work')], { stream: true })),
  );
  assert.ok(performance.now() - startedAt >= 40 + 9 * events.length - 10);
});

test('what is no address of a model is not there, and what is no JSON is refused', async () => {
  await using server = await serve({});
  const missing = await post(server, '/v1/embeddings', {});
  assert.is(missing.status, 404);
  assert.is(
    (await missing.json()).error.message,
    'The model endpoint does not know POST /v1/embeddings.',
  );
  const broken = await fetch(`${server.url}/v1/messages`, { method: 'POST', body: '{' });
  assert.is(broken.status, 400);
});

test.run();

import { readdir } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Script } from '../../../demo/model/script.ts';
import type { ChatRequest, ReadTool } from '../../../src/contract/planning/chat.ts';
import { MAX_LOOKUP_CHARS } from '../../../src/base/limits/intakeLimits.ts';
import { createBuiltinExecutor } from '../../../src/executors/builtin/createBuiltinExecutor.ts';
import { readBuiltinSettings } from '../../../src/executors/builtin/settings.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { type ChatStage, openChatStage, joinParts } from '../../support/agents/chatStage.ts';
import { shopTools } from '../../support/agents/chatTools.ts';

const test = suite('builtin chat');

const WIRES = ['anthropic', 'openai'] as const;
const PATIENCE = { firstWaitMs: 5, longestWaitMs: 1_000, silenceMs: 10_000 };

const open = (
  work: Script,
  changes: Partial<ChatRequest> = {},
  api: (typeof WIRES)[number] = 'anthropic',
  more: Readonly<Record<string, number>> = {},
): Promise<ChatStage> =>
  openChatStage(
    (baseUrl) =>
      createBuiltinExecutor({
        clock: systemClock,
        settings: readBuiltinSettings({
          api,
          baseUrl,
          apiKey: 'key-of-the-endpoint',
          maxRetries: 2,
          ...more,
        }),
        patience: PATIENCE,
      }),
    { work },
    changes,
  );

const tokens = (input: number, output: number) => ({ input, output, cached: 0 });
const READ = { tool: 'scm_read_file', args: { path: 'src/price.ts' } };
const listRequestBodies = ({ model }: ChatStage) => model.requests.all.map(({ body }) => body);
const listNotes = ({ parts }: ChatStage) =>
  parts.flatMap((part) => (part.type === 'note' ? [part.text] : []));
/** Places of cache marks in a request, each with the text that it is at. */
const marksIn = (body: unknown): string[] => {
  const marks: string[] = [];
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { cache_control, text, content } = value as Record<string, unknown>;
    if (cache_control !== undefined) marks.push(String(text ?? content));
    for (const inner of Object.values(value)) look(inner);
  };
  look(body);
  return marks;
};

test('a look-up is answered by the tool, and the answer of the turn comes as it is said, on both wires', async () => {
  for (const api of WIRES) {
    await using stage = await open(
      [
        { say: 'Let me look. ', calls: [READ], tokens: tokens(100, 10) },
        { say: 'It is 7.', tokens: tokens(200, 20) },
      ],
      {},
      api,
    );
    const result = await stage.play();
    assert.equal(
      result,
      {
        stop: 'end',
        error: null,
        resetsAt: null,
        usage: { inputTokens: 300, outputTokens: 30, cachedInputTokens: 0, cacheWriteTokens: 0 },
        contextTokens: 220,
        rounds: 1,
        resume: null,
      },
      api,
    );
    assert.is(joinParts(stage.parts), 'Let me look. It is 7.');
    assert.equal(stage.seen, [{ name: 'scm_read_file', args: { path: 'src/price.ts' } }]);
    assert.match(JSON.stringify(listRequestBodies(stage)[1]), 'export const price = 7;');
  }
});

test('the model is offered the tools of the request and nothing else', async () => {
  await using stage = await open([{ say: 'No.' }]);
  await stage.play();
  assert.equal(stage.model.requests.all[0]?.offered, ['scm_read_file', 'tracker_get_issue']);
});

test('thoughts are apart from the answer', async () => {
  await using stage = await open([{ think: 'Hm.', say: 'It is 7.' }]);
  await stage.play();
  assert.is(joinParts(stage.parts, 'thinking'), 'Hm.');
  assert.is(joinParts(stage.parts), 'It is 7.');
});

test('after the last round the model is asked once more, without calls and with the same tools, for its closing words', async () => {
  for (const api of WIRES) {
    await using stage = await open(
      function* () {
        for (let n = 0; n < 3; n += 1) yield READ;
        return 'That is all I know.';
      },
      { maxRounds: 3 },
      api,
    );
    const { stop, rounds } = await stage.play();
    const bodies = listRequestBodies(stage);
    assert.is(stop, 'rounds', api);
    assert.is(rounds, 3, api);
    assert.is(bodies.length, 4, api);
    assert.equal(bodies[3]?.tools, bodies[0]?.tools, api);
    assert.match(JSON.stringify(bodies[3]?.tool_choice), 'none', api);
    assert.is(joinParts(stage.parts), 'That is all I know.', api);
  }
});

test('a model that never stops calling is asked 25 times and once more, and its last call is the end of the turn and no failure', async () => {
  for (const api of WIRES) {
    await using stage = await open(
      Array.from({ length: 40 }, () => ({ calls: [READ] })),
      {},
      api,
    );
    const { stop, error, rounds, usage } = await stage.play();
    assert.is(error, null, api);
    assert.is(stop, 'rounds', api);
    assert.is(rounds, 25, api);
    assert.equal(
      stage.parts.flatMap((part) => (part.type === 'round' ? [part.n] : [])),
      Array.from({ length: 25 }, (_, n) => n + 1),
      api,
    );
    assert.is(stage.model.requests.all.length, 26, api);
    assert.is(stage.seen.length, 25, api);
    assert.ok((usage?.inputTokens ?? 0) > 0, api);
  }
});

test('a tool that does not exist, and arguments that are no object, are answers that failed', async () => {
  await using stage = await open([
    { calls: [{ tool: 'Write', args: { file_path: '/tmp/x', content: 'x' } }] },
    { say: 'I see.' },
  ]);
  const { stop, rounds } = await stage.play();
  assert.is(stop, 'end');
  assert.is(rounds, 1);
  assert.equal(stage.seen, []);
  assert.match(JSON.stringify(listRequestBodies(stage)[1]), /unavailable tool|does not exist/);
});

test('the answer of a look-up has the secrets of the runner taken out and is at most as long as a look-up may be', async () => {
  const long = `secret-4711 key-of-the-endpoint ${'x'.repeat(MAX_LOOKUP_CHARS * 2)}`;
  await using stage = await open([{ calls: [READ] }, { say: 'Long.' }], {
    tools: shopTools([], { scm_read_file: long }),
  });
  await stage.play();
  const requestText = JSON.stringify(listRequestBodies(stage)[1]);
  assert.not.match(requestText, 'secret-4711');
  assert.not.match(requestText, 'key-of-the-endpoint');
  assert.ok(requestText.length < MAX_LOOKUP_CHARS + 5_000, `${requestText.length} characters`);
});

test('the look-ups of one answer run at the same time, eight at most, and are answered in the order of the calls', async () => {
  const [running, most]: [Set<string>, number[]] = [new Set(), []];
  let release = () => {};
  const tool: ReadTool = {
    name: 'scm_read_file',
    description: 'Reads.',
    inputSchema: { type: 'object' },
    async run({ path }) {
      running.add(String(path));
      most.push(running.size);
      // The first eight wait for each other.
      if (running.size === 8 || path === '9') release();
      else
        await new Promise<void>((resolve) => {
          const before = release;
          release = () => {
            resolve();
            before();
          };
        });
      running.delete(String(path));
      return { text: `answer ${path}`, failed: false };
    },
  };
  const paths = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];
  await using stage = await open(
    [
      { calls: paths.map((path) => ({ tool: 'scm_read_file', args: { path } })) },
      { say: 'It is 7.' },
    ],
    { tools: [tool] },
  );
  const { rounds } = await stage.play();
  assert.is(rounds, 1);
  assert.is(Math.max(...most), 8);
  const requestText = JSON.stringify(listRequestBodies(stage)[1]);
  assert.equal(
    [...requestText.matchAll(/answer (\d)/g)].map(([, path]) => path),
    paths,
  );
});

test('an answer that broke off is asked for again, and what had come of it is void', async () => {
  await using stage = await open([{ say: 'One long line of words, in pieces.', cut: 1 }]);
  const { stop } = await stage.play();
  assert.is(stop, 'end');
  const again = stage.parts.findIndex(({ type }) => type === 'again');
  assert.ok(again > 0, 'after the first piece');
  assert.is(joinParts(stage.parts.slice(again)), 'One long line of words, in pieces.');
  assert.is(listNotes(stage).length, 1);
});

test('a call that is refused is shown, and the text before it is not lost when the next answer breaks off', async () => {
  await using stage = await open([
    { say: 'Before.', calls: [{ tool: 'Write', args: { content: 'x' } }] },
    { say: 'After it, in a few pieces of text.', cut: 1 },
  ]);
  await stage.play();
  const again = stage.parts.findIndex(({ type }) => type === 'again');
  assert.ok(again > 0, 'asked again');
  assert.is(joinParts(stage.parts.slice(again)), 'Before.\n\nAfter it, in a few pieces of text.');
  assert.ok(listNotes(stage).includes('A look-up was refused: Write, it does not exist.'));
});

test('an answer that broke off for good keeps what had come of it', async () => {
  await using stage = await open([{ say: 'One long line of words, in pieces.', cut: 9 }]);
  const { stop, error } = await stage.play();
  assert.is(stop, 'error');
  assert.match(error ?? '', 'gave no complete answer after 3 tries');
  const last = stage.parts.findLastIndex(({ type }) => type === 'again');
  assert.is.not(joinParts(stage.parts.slice(last)), '');
});

test('an endpoint with a lasting limit ends the turn as a quota with its reset time', async () => {
  await using stage = await open([
    { fail: { status: 429, retryAfter: '3600', message: 'Slow down' } },
  ]);
  const before = Date.now();
  const { stop, error, resetsAt, quota } = await stage.play();
  assert.is(stop, 'quota');
  assert.is(quota?.kind, 'exhausted');
  assert.match(error ?? '', /cannot answer now \(429\): Slow down/);
  const waits = Number(resetsAt) - before;
  assert.ok(waits >= 3_600_000 && waits < 3_660_000, `in an hour, not in ${waits} ms`);
});

test('each refusal of the endpoint says where to fix it', async () => {
  let url = '';
  const catchChatError = async (status: number, message = 'no') => {
    await using stage = await open([{ fail: { status, message } }]);
    url = `${stage.model.url}/v1`;
    return (await stage.play()).error;
  };
  const config = 'plugins.installed.builtin.config';
  assert.is(
    await catchChatError(401),
    `The model endpoint ${url} refuses the key (401): no. Check ${config}.apiKey; to replace it: svc config set ${config}.apiKey - < key.txt`,
  );
  assert.is(
    await catchChatError(404),
    `The model endpoint does not know the model claude-sonnet-4-5, or the address is wrong (404): no. Check ${config}.baseUrl and the model of the chat.`,
  );
  assert.is(
    await catchChatError(400, 'prompt is too long'),
    `The conversation is longer than claude-sonnet-4-5 takes (400): prompt is too long. It has no answers of tools that can be folded. Set ${config}.contextWindow to what it takes, choose one with a larger window for the model of the chat, or start a new chat from these findings.`,
  );
});

test('a refusal of the model, and an answer at its longest, have stops of their own', async () => {
  const playAndReadStop = async (stop: 'refusal' | 'max_tokens') => {
    await using stage = await open([{ say: 'I begin', stop }]);
    return (await stage.play()).stop;
  };
  assert.is(await playAndReadStop('refusal'), 'refusal');
  assert.is(await playAndReadStop('max_tokens'), 'cut');
});

test('a model that says nothing at all is an error', async () => {
  await using stage = await open([{}]);
  const { stop, error } = await stage.play();
  assert.is(stop, 'error');
  assert.is(error, 'The model answered with neither text nor a look-up.');
});

test('an abort in the middle of an answer interrupts the turn with its text so far, and closes the request', async () => {
  const stop = new AbortController();
  await using stage = await open([{ say: 'Word by word by word.', hang: 'midway' }], {
    signal: stop.signal,
  });
  const run = await stage.start();
  await stage.until(({ type }) => type === 'token');
  stop.abort();
  const { stop: why, error } = await run.result;
  assert.is(why, 'interrupted');
  assert.is(error, null);
  assert.is.not(joinParts(stage.parts), '');
  assert.is(
    stage.parts.some(({ type }) => type === 'again'),
    false,
  );
  await stage.model.requests.until(({ outcome }) => outcome === 'disconnected');
});

test('an abort in the middle of a look-up stops the look-up', async () => {
  const stop = new AbortController();
  let noteBegin = () => {};
  const begins = new Promise<void>((resolve) => {
    noteBegin = resolve;
  });
  const slow: ReadTool = {
    name: 'scm_read_file',
    description: 'Reads.',
    inputSchema: { type: 'object' },
    run: (_args, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({ text: 'stopped', failed: true }));
        noteBegin();
      }),
  };
  await using stage = await open([{ calls: [READ] }], { tools: [slow], signal: stop.signal });
  const run = await stage.start();
  await begins;
  stop.abort();
  assert.is((await run.result).stop, 'interrupted');
  assert.is(stage.model.requests.all.length, 1);
});

test('parts that cannot be kept end the turn as an error', async () => {
  await using stage = await open([{ say: 'It is 7.' }]);
  const { stop, error } = await stage.play({
    onPart: (part) =>
      part.type === 'token' ? Promise.reject(new Error('the disk is full')) : undefined,
  });
  assert.is(stop, 'error');
  assert.is(error, 'The answer could not be kept: the disk is full');
});

const HISTORY: ChatRequest['history'] = [
  { role: 'user', text: 'What is in the shop?' },
  { role: 'assistant', text: 'One price.' },
  { role: 'user', text: '<evidence>E1 src/price.ts</evidence>' },
];

test('cache marks are at the end of the system prompt, of the last settled turn and of the last message', async () => {
  await using stage = await open([{ calls: [READ] }, { say: 'It is 7.' }], { history: HISTORY });
  await stage.play();
  const [first, second] = listRequestBodies(stage).map(marksIn);
  const settled = ['You look and do not touch.', '<evidence>E1 src/price.ts</evidence>'];
  assert.equal(first, [...settled, '@@work What is the price?']);
  assert.equal(second, [...settled, 'export const price = 7;']);
});

test('without a settled turn there are two cache marks, and on the OpenAI wire none', async () => {
  const playAndReadMarks = async (api: (typeof WIRES)[number]) => {
    await using stage = await open([{ say: 'It is 7.' }], {}, api);
    await stage.play();
    return listRequestBodies(stage).flatMap(marksIn);
  };
  assert.equal(await playAndReadMarks('anthropic'), [
    'You look and do not touch.',
    '@@work What is the price?',
  ]);
  assert.equal(await playAndReadMarks('openai'), []);
});

test('what was sent before a cache mark is sent again as it was, round after round', async () => {
  await using stage = await open([{ calls: [READ] }, { calls: [READ] }, { say: 'It is 7.' }], {
    history: HISTORY,
  });
  await stage.play();
  const unmarked = (value: unknown): string =>
    JSON.stringify(value, (key, inner) => (key === 'cache_control' ? undefined : inner));
  const bodies = listRequestBodies(stage);
  for (const [index, body] of bodies.slice(1).entries()) {
    const before = bodies[index];
    assert.is(unmarked(body.tools), unmarked(before?.tools));
    assert.is(unmarked(body.system), unmarked(before?.system));
    const messages = Array.isArray(before?.messages) ? before.messages : [];
    const now = Array.isArray(body.messages) ? body.messages.slice(0, messages.length) : [];
    assert.is(unmarked(now), unmarked(messages));
  }
});

test('two chats of equal request send equal bytes', async () => {
  const play = async () => {
    await using stage = await open([{ calls: [READ] }, { say: 'It is 7.' }], { history: HISTORY });
    await stage.play();
    return listRequestBodies(stage).map((body) => JSON.stringify(body));
  };
  assert.equal(await play(), await play());
});

test('look-ups that fill the window are folded within the turn, and earlier turns stay', async () => {
  await using stage = await open(
    [...Array.from({ length: 12 }, () => ({ calls: [READ] })), { say: 'Done.' }],
    { history: HISTORY, tools: shopTools([], { scm_read_file: 'x'.repeat(20_000) }) },
    'anthropic',
    { contextWindow: 60_000 },
  );
  assert.is((await stage.play()).stop, 'end');
  const last = JSON.stringify(listRequestBodies(stage).at(-1));
  assert.match(last, '[folded] The answer of scm_read_file');
  assert.match(last, '<evidence>E1 src/price.ts</evidence>');
  assert.ok(listNotes(stage).length > 0);
});

test('a chat writes nothing to its folder', async () => {
  await using stage = await open([{ calls: [READ] }, { say: 'It is 7.' }]);
  await stage.play();
  assert.equal(await readdir(stage.request.stateDir), []);
});

test('without an endpoint or a model a chat is refused with what to set', async () => {
  const refusal = async (config: Readonly<Record<string, string>>) => {
    const executor = createBuiltinExecutor({
      clock: systemClock,
      settings: readBuiltinSettings(config),
    });
    await using stage = await openChatStage(() => executor, {});
    const llm = { provider: 'builtin', model: null, reasoningEffort: null };
    return stage.start({ llm }).then(
      () => 'it began',
      (error: unknown) => {
        assert.instance(error, SvcError);
        return error instanceof SvcError ? `${error.code}: ${error.message}` : '';
      },
    );
  };
  assert.match(
    await refusal({ api: 'openai' }),
    /^bad-argument: The chat runs on the builtin executor\. No model endpoint is configured: set plugins/,
  );
  assert.match(
    await refusal({ baseUrl: 'http://127.0.0.1:1' }),
    /^bad-argument: The chat runs on the builtin executor, but has no model: set plugins/,
  );
});

test.run();

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Script, Scripts } from '../../../demo/model/script.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { createBuiltinExecutor } from '../../../src/executors/builtin/createBuiltinExecutor.ts';
import { readBuiltinSettings } from '../../../src/executors/builtin/settings.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { builtinSubject } from '../../support/agents/executorContract/builtinSubject.ts';
import {
  fileIsThere,
  openStage,
  type Stage,
  type Subject,
  timesAsked,
} from '../../support/agents/executorContract/stage.ts';
import { createHeldClock, HELD_MS } from '../../support/heldClock.ts';

const test = suite('builtin session');

const open = (work: Script, more: Readonly<Record<string, number>> = {}, scripts: Scripts = {}) =>
  openStage(builtinSubject('anthropic', more), { work, ...scripts });
const listControlEvents = ({ events }: Stage) =>
  events.flatMap((event) =>
    event.type === 'log' && event.stream === 'control' ? [event.line] : [],
  );
const listStopReasons = ({ events }: Stage) =>
  events.flatMap((event) => (event.type === 'turn' ? [event.stopReason] : []));

test('old answers of tools are folded before the window is full, and what was folded is said', async () => {
  const big = { calls: [{ shell: 'seq 1 4000' }] };
  await using stage = await open([big, big, big, big, big, big, big, { say: 'Done.' }], {
    contextWindow: 60_000,
  });
  assert.is((await stage.play()).stopReason, 'end_turn');
  const lines = listControlEvents(stage);
  assert.ok(lines.length > 0);
  for (const line of lines) {
    assert.match(
      line,
      /^The conversation had about \d+ of 60000 tokens: \d+ old answers and arguments of tools were folded, about \d+ tokens\.$/,
    );
  }
  const sizes = stage.model.requests.played.map(({ body }) => JSON.stringify(body).length);
  assert.ok(
    Math.max(...sizes) < 60_000 * 4,
    `no request is longer than the window: ${sizes.join(', ')}`,
  );
  assert.ok(timesAsked(stage, '[folded] The answer of Bash') > 0);
  assert.is(timesAsked(stage, '@@work Begin.'), 1);
});

test('an endpoint that finds the conversation too long gets a shorter one', async () => {
  const call = (n: number) => ({ calls: [{ shell: `echo ${n}; seq 1 400` }] });
  const tooLong = {
    fail: { status: 400, times: 1, message: 'prompt is too long: 300000 tokens > 200000 maximum' },
  };
  await using stage = await open([
    call(1),
    call(2),
    call(3),
    call(4),
    call(5),
    call(6),
    { say: 'Done.', ...tooLong },
  ]);
  assert.is((await stage.play()).stopReason, 'end_turn');
  assert.is(listControlEvents(stage).length, 1);
  assert.ok(timesAsked(stage, '[folded]') > 0);
});

test('how full the account is comes with the headers of a good answer', async () => {
  const resetsAt = Math.floor(systemClock.now() / 1_000) + 7_200;
  const headers = {
    'anthropic-ratelimit-unified-5h-utilization': '0.93',
    'anthropic-ratelimit-unified-5h-reset': String(resetsAt),
  };
  await using stage = await open([{ say: 'Done.', headers }]);
  await stage.play();
  assert.equal(
    stage.events.filter(({ type }) => type === 'limits'),
    [{ type: 'limits', used: 0.93, window: '5 hours', resetsAt: resetsAt * 1_000 }],
  );
});

test('retries are counted and reported; an endpoint with a lasting limit ends the session with its reset time, and the session gets no more messages (JOB-12)', async () => {
  await using never = await open([{ fail: { status: 529, message: 'Overloaded' } }]);
  assert.equal(await never.play(), {
    stopReason: 'quota',
    error: 'The model endpoint cannot answer now after 3 tries (529): Overloaded',
    usage: null,
    resetsAt: null,
    quota: { kind: 'overloaded', window: null },
  });
  assert.equal(listControlEvents(never), [
    'The model endpoint could not answer (529 Overloaded); try 2 of 3 in 0.005 s.',
    'The model endpoint could not answer (529 Overloaded); try 3 of 3 in 0.01 s.',
  ]);
  await using later = await open([
    { fail: { status: 429, retryAfter: '3600', message: 'Slow down' } },
  ]);
  const before = Date.now();
  const { stopReason, error, resetsAt } = await later.play();
  assert.match(error ?? '', /^The model endpoint cannot answer now \(429\): Slow down/);
  assert.is(stopReason, 'quota');
  const waits = Number(resetsAt) - before;
  assert.ok(waits >= 3_600_000 && waits < 3_660_000, `in an hour, not in ${waits} ms`);
  assert.is(later.model.requests.all.length, 1);
});

test('each refusal says where to fix it', async () => {
  let url = '';
  const catchSessionError = async (status: number) => {
    await using stage = await open([{ fail: { status, message: 'no' } }]);
    url = `${stage.model.url}/v1`;
    return (await stage.play()).error;
  };
  const config = 'plugins.installed.builtin.config';
  assert.is(
    await catchSessionError(401),
    `The model endpoint ${url} refuses the key (401): no. Check ${config}.apiKey; to replace it: svc config set ${config}.apiKey - < key.txt`,
  );
  assert.is(
    await catchSessionError(404),
    `The model endpoint does not know the model claude-sonnet-4-5, or the address is wrong (404): no. Check ${config}.baseUrl and the model of the phase.`,
  );
  assert.is(await catchSessionError(400), 'The model endpoint refuses the request (400): no');
});

test('a turn ends by the words of the model, and by the number of its requests', async () => {
  const playAndListStops = async (work: Script, more: Readonly<Record<string, number>> = {}) => {
    await using stage = await open(work, more);
    const { stopReason, error } = await stage.play();
    return [listStopReasons(stage), stopReason, error, stage.model.requests.played.length];
  };
  const limit = 'The model stopped in the middle of its answer: it reached its output limit.';
  assert.equal(await playAndListStops([{ say: 'And', stop: 'pause_turn' }]), [
    ['pause_turn'],
    'pause_turn',
    null,
    1,
  ]);
  assert.equal(await playAndListStops([{ say: 'No.', stop: 'refusal' }]), [
    ['refusal'],
    'stuck',
    'The model refused to continue.',
    1,
  ]);
  assert.equal(await playAndListStops([{ say: 'cut', stop: 'max_tokens' }]), [
    ['max_tokens'],
    'stuck',
    limit,
    4,
  ]);
  const most =
    'The agent asked its model 3 times in one turn, the most that plugins.installed.builtin.config.maxTurns allows.';
  const again = { calls: [{ shell: 'true' }] };
  assert.equal(await playAndListStops([again, again, again, again], { maxTurns: 3 }), [
    ['max_turns'],
    'stuck',
    most,
    3,
  ]);
});

test('secrets that the runner knows beside those of the session do not reach the model', async () => {
  await using stage = await open([
    { calls: [{ shell: 'echo other-agents-key' }] },
    { say: 'Done.' },
  ]);
  await stage.play({ screen: (text) => text.replaceAll('other-agents-key', '[secret]') });
  assert.is(timesAsked(stage, '[secret]'), 1);
  // The command itself is the model's own word.
  assert.is(timesAsked(stage, 'other-agents-key'), 1);
});

test('a tool that is not there, and arguments that make no sense, are answered and not the end', async () => {
  const tools = [
    { tool: 'Nothing', args: {} },
    { tool: 'Read', args: { file_path: 7 } },
    { shell: 'echo fine' },
  ];
  await using stage = await open([{ calls: tools }, { say: 'Done.' }]);
  assert.is((await stage.play()).stopReason, 'end_turn');
  for (const words of ['Nothing', 'is missing: it must be a string.', 'fine']) {
    assert.ok(timesAsked(stage, words) > 0, words);
  }
});

test('a conversation continues after a crash in the middle of a call: what was done is kept, what is unknown is reported', async () => {
  await using stage = await open([
    { calls: [{ shell: 'echo first-result' }] },
    { calls: [{ shell: 'true' }] },
    { say: 'Done.' },
  ]);
  await stage.play();
  const file = join(stage.request.sessionDir, 'transcript.jsonl');
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  // The crash came when the second call was written down and its answer half.
  await writeFile(file, `${lines.slice(0, 4).join('\n')}\n${lines[4]?.slice(0, 30)}`);
  await stage.play({ resume: '2.1', kickoff: 'Continue.' });
  assert.is(timesAsked(stage, 'first-result'), 2);
  assert.is(timesAsked(stage, '[restart] The runner restarted while this call ran.'), 1);
  assert.is(timesAsked(stage, 'Continue.'), 1);
  for (const id of ['../2.1', '..', 'none']) {
    await stage.play({ resume: id, kickoff: 'Begin @@work.' });
    assert.is(
      listControlEvents(stage).at(-1),
      `The conversation ${id} no longer exists; a new one is started.`,
    );
  }
});

test('a skill gives its text when it is called, and its files can be read; svc tool works in a command', async () => {
  const skill =
    '---\nname: greet\ndescription: >-\n  How to\n  greet.\n---\n\nSay hello as in words.txt.';
  await using stage = await openStage(
    builtinSubject('openai'),
    {
      *work({ said }) {
        const { text } = yield { tool: 'Skill', args: { skill: 'greet' } };
        const dir = /are in (\S+)\.\n/.exec(text)?.[1];
        yield { read: `${dir}/words.txt` };
        yield { shell: 'test -f "$SVC_SESSION_DIR/mcp.json" && echo found-it' };
        return said.join();
      },
    },
    {
      'overlay/.claude/skills/greet/SKILL.md': skill,
      'overlay/.claude/skills/greet/words.txt': 'Good day.',
    },
  );
  await stage.play();
  assert.is(timesAsked(stage, '- greet: How to greet.'), 1);
  assert.is(timesAsked(stage, 'Say hello as in words.txt.'), 1);
  assert.is(timesAsked(stage, 'Good day.'), 1);
  assert.ok(timesAsked(stage, 'found-it') > 1);
});

test('a session without its tool server, its endpoint or its model says what is missing', async () => {
  await using stage = await open([{ say: 'Done.' }]);
  const missingTools = { url: 'http://127.0.0.1:1/mcp/none', token: 'token-of-nothing' };
  const { stopReason, error } = await stage.play({ tools: missingTools });
  assert.is(stopReason, 'error');
  assert.match(error ?? '', /^The tool server of the phase cannot be reached: /);
  const catchOpenError = async (config: Record<string, string>) => {
    const executor = createBuiltinExecutor({
      clock: systemClock,
      settings: readBuiltinSettings(config),
    });
    const llm = { provider: 'builtin', model: null, reasoningEffort: null };
    const thrown = await executor
      .run({ ...stage.request, llm })
      .catch((problem: unknown) => problem);
    return thrown instanceof SvcError ? [thrown.code, thrown.message] : thrown;
  };
  assert.equal(await catchOpenError({ api: 'openai', model: 'm' }), [
    'bad-argument',
    'Phase coding runs on the builtin executor. No model endpoint is configured: set plugins.installed.builtin.config.baseUrl, for example to http://127.0.0.1:11434, or apiKey for Anthropic’s own.',
  ]);
  assert.equal(await catchOpenError({ baseUrl: 'http://127.0.0.1:1' }), [
    'bad-argument',
    'Phase coding runs on the builtin executor, but has no model: set plugins.installed.builtin.config.model, or a model alias for it.',
  ]);
});

test('limits of time and output end a session, and the commands with it', async () => {
  const { clock, release } = createHeldClock();
  const subject: Subject = {
    ...builtinSubject('anthropic'),
    open: async (baseUrl) =>
      createBuiltinExecutor({ clock, settings: readBuiltinSettings({ baseUrl }) }),
  };
  await using slow = await openStage(subject, {
    work: [{ calls: [{ shell: 'touch begun; sleep 60' }] }],
  });
  const playing = slow.play({ limits: { timeMs: HELD_MS, outputBytes: 100_000 } });
  await fileIsThere(join(slow.dir, 'begun'));
  release();
  const late = await playing;
  assert.equal(late.stopReason, 'limit');
  assert.equal(late.error, 'The time limit of 86400 s is over. The session was ended.');
  await using loud = await open([{ say: 'x'.repeat(5_000) }]);
  const much = await loud.play({ limits: { timeMs: 60_000, outputBytes: 2_000 } });
  assert.equal(much.stopReason, 'limit');
  assert.equal(much.error, 'The output limit of 2000 bytes is reached. The session was ended.');
});

test('an endpoint that falls silent is asked again', async () => {
  const subject = builtinSubject('anthropic');
  const patience = { firstWaitMs: 1, longestWaitMs: 1_000, silenceMs: 150 };
  await using stage = await openStage(
    {
      ...subject,
      open: async (baseUrl) =>
        createBuiltinExecutor({
          clock: systemClock,
          settings: readBuiltinSettings({ baseUrl, maxRetries: 1 }),
          patience,
        }),
    },
    { work: [{ say: 'Never.', hang: 'at once' }] },
  );
  const { error } = await stage.play();
  assert.is(
    error,
    `The model endpoint ${stage.model.url}/v1 gave no complete answer after 2 tries: nothing arrived for 0.15 s`,
  );
  assert.equal(
    stage.model.requests.played.map(({ outcome }) => outcome),
    ['disconnected', 'disconnected'],
  );
});

test.run();

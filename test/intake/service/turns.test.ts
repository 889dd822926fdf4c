import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CHAT, ChatStage, settleQueue } from '../../support/chats/chatStage.ts';
import { catchRefusal } from '../../support/refusal.ts';

const test = suite('plan-mode chats: turns');

const READY = '<readiness>\n{"state":"ready","openQuestions":[],"note":"done"}\n</readiness>';

test('a turn streams its answer and is stored with what its hidden blocks say (PLN-1)', async () => {
  const stage = await ChatStage.open(async ({ say, look }) => {
    say('I look. ');
    await look('scm_read_file', { path: 'src/a.ts' });
    say(`It is in src/a.ts:1.\n<findings>\nSee src/a.ts:1\n</findings>\n${READY}`);
    return {
      usage: { inputTokens: 10, outputTokens: 5, cachedInputTokens: 0 },
      contextTokens: 15,
    };
  });
  const reader = await stage.say('Where is it?');
  assert.equal(reader.types, ['turn', 'token', 'token', 'tool_start', 'tool_end', 'token', 'done']);
  assert.ok(reader.ended);
  const chat = await stage.intake.investigation(CHAT);
  assert.is(chat.title, 'Where is it?');
  assert.is(chat.turns[0]?.state, 'done');
  assert.is(chat.turns[0]?.answer, reader.text);
  assert.is(chat.findings?.text, 'See src/a.ts:1');
  assert.is(chat.findings?.by, 'model');
  assert.is(chat.readiness, 'ready');
  assert.equal(
    chat.citations.map(({ ref }) => ref),
    ['src/a.ts:1'],
  );
  assert.is(chat.evidence[0]?.target, 'src/a.ts');
  assert.is(chat.repo, 'shop');
  assert.is(chat.counters.lookups, 1);
  assert.is(chat.counters.usage.inputTokens, 10);
  assert.equal(chat.counters.cost, { usd: 0, priced: true });
  assert.is((await stage.intake.evidenceText(CHAT, 'E1')).text, '1\ttext of src/a.ts');
  assert.equal(stage.errors, []);
  await stage.close();
});

test('the message is stored before the model is asked (PLN-2)', async () => {
  let storedMessage = '';
  const stage = await ChatStage.open(async () => {
    storedMessage =
      stage.store.rows.one('investigation_turns', { investigation: CHAT })?.message ?? '';
    return undefined;
  });
  await stage.say('Keep this');
  assert.is(storedMessage, 'Keep this');
  await stage.close();
});

test('the context of a request is part of the message, and not of the system prompt', async () => {
  const stage = await ChatStage.open(async ({ say }) => void say('Yes.'));
  await stage.say('One', { context: { recentRepos: ['acme/shop'] } });
  await stage.say('Two');
  const [first, second] = stage.chats.requests;
  assert.match(first?.message ?? '', /acme\/shop[\s\S]*One$/);
  assert.is(first?.system, second?.system);
  assert.is(second?.message, 'Two');
  assert.equal(second?.history, [
    { role: 'user', text: 'One' },
    { role: 'assistant', text: 'Yes.' },
  ]);
  await stage.close();
});

test('while a turn runs a second one is refused, or waits where it asks to', async () => {
  const ends: (() => void)[] = [];
  const stage = await ChatStage.open(async ({ request, say }) => {
    await new Promise<void>((end) => ends.push(end));
    say(`answer to ${request.message}`);
    return undefined;
  });
  const first = await stage.say('one');
  const error = await catchRefusal(() => stage.intake.ask({ sessionId: CHAT, message: 'two' }));
  assert.is(error.code, 'conflict');
  assert.is(error.data.reason, 'turn-running');
  const second = await stage.say('two', { queue: true });
  assert.equal(second.types, []);
  assert.is((await stage.intake.investigation(CHAT)).turns[1]?.state, 'queued');
  ends[0]?.();
  await settleQueue();
  assert.is(first.text, 'answer to one');
  assert.ok(first.ended);
  assert.equal(second.types, ['turn']);
  assert.is((await stage.intake.investigation(CHAT)).turns[1]?.state, 'running');
  ends[1]?.();
  await settleQueue();
  assert.is(second.text, 'answer to two');
  assert.is(second.last?.type, 'done');
  await stage.close();
});

test('two requests at once make one turn: the other is refused', async () => {
  const stage = await ChatStage.open(async ({ stopped }) => void (await stopped));
  const results = await Promise.allSettled(
    ['one', 'two'].map((message) => stage.intake.ask({ sessionId: CHAT, message })),
  );
  assert.equal(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected'],
  );
  assert.is(stage.store.rows.count('investigation_turns'), 1);
  await stage.close();
});

test('a stop keeps the answer so far, and the chat continues', async () => {
  const stage = await ChatStage.open(async ({ say, stopped, request }) => {
    if (request.turn > 1) return void say('again');
    say('so far');
    await stopped;
    return undefined;
  });
  const reader = await stage.say('go');
  assert.equal(await stage.intake.stop(CHAT), { stopped: true });
  assert.equal(reader.last?.type === 'done' && reader.last.state, 'interrupted');
  const [turn] = (await stage.intake.investigation(CHAT)).turns;
  assert.is(turn?.state, 'interrupted');
  assert.is(turn?.answer, 'so far');
  assert.equal(await stage.intake.stop(CHAT), { stopped: false });
  assert.is((await stage.say('and now?')).text, 'again');
  await stage.close();
});

test('an executor that does not stop is reported as stopped after 5 s, and what it still says is dropped', async () => {
  let late = () => {};
  const stage = await ChatStage.open(async ({ say }) => {
    say('so far');
    await new Promise<void>((resolve) => {
      late = () => {
        say(' and more');
        resolve();
      };
    });
    return undefined;
  });
  const reader = await stage.say('go');
  const stopped = stage.intake.stop(CHAT);
  await settleQueue();
  stage.clock.advance(5_000);
  assert.equal(await stopped, { stopped: true });
  late();
  await settleQueue();
  assert.is(reader.text, 'so far');
  assert.is((await stage.intake.investigation(CHAT)).turns[0]?.answer, 'so far');
  await stage.close();
});

test('a failure of the model is an error frame with its reason, and the text before it stays', async () => {
  const stage = await ChatStage.open(async ({ say }) => {
    say('half');
    return { stop: 'quota', error: 'The quota is used up.' };
  });
  const reader = await stage.say('go');
  assert.equal(reader.last, {
    type: 'error',
    message: 'The quota is used up.',
    reason: 'quota',
  });
  const [turn] = (await stage.intake.investigation(CHAT)).turns;
  assert.is(turn?.state, 'failed');
  assert.is(turn?.reason, 'quota');
  assert.is(turn?.answer, 'half');
  await stage.close();
});

test('a limit of the endpoint says until when it holds', async () => {
  const resetsAt = Date.UTC(2026, 0, 1, 13);
  const stage = await ChatStage.open(async () => ({
    stop: 'quota',
    error: 'The quota is used up.',
    resetsAt,
  }));
  const { last } = await stage.say('go');
  assert.equal(last, {
    type: 'error',
    message: 'The quota is used up. It takes requests again at 2026-01-01T13:00:00.000Z.',
    reason: 'quota',
  });
  await stage.close();
});

test('an answer that is asked for again is void from the last look-up on', async () => {
  const stage = await ChatStage.open(async ({ say, look, part }) => {
    say('I look.');
    await look('scm_read_file', { path: 'a.ts' });
    say('brok');
    part({ type: 'again' });
    say(' It is fine.');
    return undefined;
  });
  const reader = await stage.say('go');
  assert.ok(reader.types.includes('again'));
  assert.is((await stage.intake.investigation(CHAT)).turns[0]?.answer, 'I look.\n\n It is fine.');
  await stage.close();
});

test('without tools a model can look at nothing', async () => {
  const stage = await ChatStage.open(async () => undefined, { toolsEnabled: false });
  await stage.say('go');
  assert.equal(stage.chats.requests[0]?.tools, []);
  await stage.close();
});

test('a look-up that fails answers the model why, and is evidence', async () => {
  let answer = '';
  const stage = await ChatStage.open(async ({ look }) => {
    answer = await look('scm_read_file', { path: 'missing.ts' });
    return undefined;
  });
  const reader = await stage.say('go');
  assert.match(answer, /shop has no file missing\.ts/);
  const end = reader.got.find(({ frame }) => frame.type === 'tool_end')?.frame;
  assert.is(end?.type === 'tool_end' && end.ok, false);
  assert.is((await stage.intake.investigation(CHAT)).evidence[0]?.ok, false);
  await stage.close();
});

test('a chat whose program must be confined and cannot be is refused, with why (PLN-7)', async () => {
  const lacks =
    'runner.sandbox is required, and no sandbox can be used: bubblewrap is not installed';
  const stage = await ChatStage.open(async () => undefined, { refusal: async () => lacks });
  const error = await catchRefusal(() => stage.intake.ask({ sessionId: CHAT, message: 'hello' }));
  assert.match(
    error.message,
    /scripted cannot hold a plan-mode chat: runner\.sandbox is required, .* not installed\./,
  );
  await stage.close();
});

test('no executor with a chat: 503 no-llm, which says what to set up', async () => {
  const stage = await ChatStage.open(async () => undefined);
  stage.chats.lack = 'no endpoint is configured';
  const error = await catchRefusal(() => stage.intake.ask({ sessionId: CHAT, message: 'hello' }));
  assert.is(error.code, 'no-llm');
  assert.is(error.status, 503);
  assert.is(error.data.reason, 'no-llm');
  assert.match(error.message, /scripted cannot hold a plan-mode chat: no endpoint is configured\./);
  const other = await catchRefusal(() =>
    stage.intake.ask({ sessionId: CHAT, message: 'hello', provider: 'absent' }),
  );
  assert.match(
    other.message,
    /absent cannot hold a plan-mode chat: this executor is not installed/,
  );
  assert.is(stage.store.rows.count('investigations'), 0);
  await stage.close();
});

test('a session keeps its model; one that chooses none is held by the alias planning', async () => {
  const stage = await ChatStage.open(async () => undefined);
  stage.settings.llm.aliases = { planning: { provider: 'scripted', model: 'big' } };
  await stage.say('one');
  await stage.say('two', { model: 'small' });
  await stage.say('three');
  assert.equal(
    stage.chats.requests.map(({ llm }) => llm.model),
    ['big', 'small', 'small'],
  );
  assert.equal((await stage.intake.investigation(CHAT)).model, { provider: null, model: 'small' });
  await stage.close();
});

test('an edit of a person is never dropped: the change of the model is proposed', async () => {
  const stage = await ChatStage.open(async ({ request, say }) => {
    say(`<findings>\nversion ${request.turn}\n</findings>`);
    return undefined;
  });
  await stage.say('one');
  await stage.intake.saveInvestigation(CHAT, { findings: { text: 'mine' } });
  await stage.say('two');
  assert.match(stage.chats.requests[1]?.message ?? '', /mine/);
  const chat = await stage.intake.investigation(CHAT);
  assert.is(chat.findings?.text, 'mine');
  assert.is(chat.findings?.by, 'person');
  assert.is(chat.findings?.proposed, 'version 2');
  const investigation = await stage.intake.saveInvestigation(CHAT, { proposed: 'take' });
  assert.is(investigation?.findings?.text, 'version 2');
  assert.is(investigation?.findings?.proposed, null);
  await stage.close();
});

test('a turn that a runner has not ended is lost at the next start: its text stays, the chat continues', async () => {
  const stage = await ChatStage.open(async ({ say, look }) => {
    say('so far ');
    await look('scm_read_file', { path: 'a.ts' });
    await new Promise(() => {});
    return undefined;
  });
  await stage.say('one');
  // The first runner ends without another word: its store is opened by the next one.
  const next = await ChatStage.open(async ({ say }) => void say('here I am'), {
    store: stage.store,
  });
  const [turn] = (await next.intake.investigation(CHAT)).turns;
  assert.is(turn?.state, 'lost');
  assert.is(turn?.message, 'one');
  assert.is(turn?.answer, 'so far \n\n');
  assert.is((await next.say('two')).text, 'here I am');
  assert.equal(
    next.chats.requests[0]?.history.map(({ text }) => text.split('\n')[0]),
    ['one', 'so far'],
  );
  await next.close();
});

test('removing a chat stops its turn and leaves no row', async () => {
  const stage = await ChatStage.open(async ({ say, look, stopped }) => {
    say('a');
    await look('scm_read_file', { path: 'a.ts' });
    await stopped;
    return undefined;
  });
  const reader = await stage.say('one');
  await stage.intake.removeInvestigation(CHAT);
  assert.ok(reader.ended);
  for (const table of [
    'investigations',
    'investigation_turns',
    'investigation_evidence',
    'investigation_texts',
    'investigation_citations',
  ] as const)
    assert.is(stage.store.rows.count(table), 0, table);
  assert.is((await catchRefusal(() => stage.intake.investigation(CHAT))).code, 'not-found');
  await stage.close();
});

test.run();

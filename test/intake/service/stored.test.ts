import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MAX_ITEMS_CHARS, MAX_SEED_CHARS } from '../../../src/base/limits/intakeLimits.ts';
import { Database } from '../../../src/kernel/sqlite/database.ts';
import { migrate } from '../../../src/kernel/sqlite/migrate.ts';
import { MIGRATIONS } from '../../../src/jobs/store/migrations/migrations.ts';
import Value from 'typebox/value';
import { InvestigationBody } from '../../../src/contract/schema/planning/investigationBody.ts';
import { CHAT, ChatStage, settleQueue } from '../../support/chats/chatStage.ts';
import type { ChatScript } from '../../support/chats/scriptedChat.ts';
import { catchRefusal } from '../../support/refusal.ts';

const test = suite('plan-mode chats: what is stored');

const silent = () => ChatStage.open(async ({ say }) => void say('Yes.'));

test('an empty chat is not stored', async () => {
  const stage = await silent();
  assert.is(await stage.intake.saveInvestigation(CHAT, {}), null);
  assert.is(await stage.intake.saveInvestigation(CHAT, { items: [], turns: [] }), null);
  assert.is(stage.store.rows.count('investigations'), 0);
  await stage.close();
});

test('a snapshot stores what it names and leaves the rest', async () => {
  const stage = await silent();
  await stage.say('one');
  await stage.intake.saveInvestigation(CHAT, { items: [{ a: 1 }], title: 'Slow' });
  const readiness = { state: 'ready' as const, openQuestions: [], note: '' };
  const saved = await stage.intake.saveInvestigation(CHAT, { readiness });
  assert.equal(saved?.items, [{ a: 1 }]);
  assert.is(saved?.title, 'Slow');
  assert.is(saved?.readiness, 'ready');
  assert.is(saved?.turns[0]?.answer, 'Yes.');
  await stage.close();
});

test('findings that have changed since they were read are not overwritten', async () => {
  const stage = await silent();
  await stage.say('one');
  const first = await stage.intake.saveInvestigation(CHAT, { findings: { text: 'a' } });
  const replaces = first?.findings?.sha256 ?? '';
  await stage.intake.saveInvestigation(CHAT, { findings: { text: 'b', replaces } });
  const error = await catchRefusal(() =>
    stage.intake.saveInvestigation(CHAT, { findings: { text: 'c', replaces } }),
  );
  assert.is(error.code, 'conflict');
  assert.is(error.data.reason, 'findings-changed');
  assert.is((await stage.intake.investigation(CHAT)).findings?.text, 'b');
  await stage.close();
});

test('what GET returns can be sent back, and changes nothing (PLN-2)', async () => {
  const answer =
    '<findings>Found.</findings><readiness>{"state":"ready","openQuestions":["Why?"],"note":"n"}</readiness>';
  const stage = await ChatStage.open(async ({ say, look }) => {
    await look('scm_read_file', { path: 'a.ts' });
    say(answer);
  });
  await stage.say('one');
  await stage.intake.saveInvestigation(CHAT, { items: [{ a: 1 }] });
  const before = await stage.intake.investigation(CHAT);
  const body = Value.Parse(InvestigationBody, structuredClone(before));
  assert.equal(await stage.intake.saveInvestigation(CHAT, body), before);
  await stage.close();
});

test('a look-up with long arguments is kept, and can be read (PLN-5)', async () => {
  const stage = await ChatStage.open(async ({ say, look }) => {
    await look('scm_read_file', { path: 'a.ts', note: 'x'.repeat(10_000) });
    say('Yes.');
  });
  await stage.say('one');
  const { evidence } = await stage.intake.investigation(CHAT);
  assert.equal(
    evidence.map(({ id, target }) => [id, target]),
    [['E1', 'a.ts']],
  );
  await stage.close();
});

test('what another runner returned begins the same chat here (PLN-2)', async () => {
  const first = await silent();
  await first.say('one');
  await first.intake.saveInvestigation(CHAT, { findings: 'Found.', title: 'Slow' });
  const read = await first.intake.investigation(CHAT);
  const second = await silent();
  const there = await second.intake.saveInvestigation(CHAT, read);
  assert.equal(
    there?.turns.map(({ message, answer }) => [message, answer]),
    [['one', 'Yes.']],
  );
  assert.is(there?.title, 'Slow');
  assert.is(there?.findings?.text, 'Found.');
  await first.close();
  await second.close();
});

test('a state alone keeps questions and note; a block that was changed beside it counts', async () => {
  const stage = await silent();
  await stage.say('one');
  const status = { state: 'investigating' as const, openQuestions: ['Why?'], note: 'n' };
  await stage.intake.saveInvestigation(CHAT, { status });
  const ready = await stage.intake.saveInvestigation(CHAT, { readiness: 'ready' });
  assert.equal(ready?.status, { ...status, state: 'ready' });
  const changed = { ...status, note: 'other' };
  const both = await stage.intake.saveInvestigation(CHAT, { readiness: 'ready', status: changed });
  assert.equal(both?.status, changed);
  await stage.close();
});

test('findings that GET has shown in the meantime are not overwritten by older ones', async () => {
  const stage = await silent();
  await stage.say('one');
  await stage.intake.saveInvestigation(CHAT, { findings: 'a' });
  const read = await stage.intake.investigation(CHAT);
  await stage.intake.saveInvestigation(CHAT, { findings: 'b' });
  const error = await catchRefusal(() => stage.intake.saveInvestigation(CHAT, read));
  assert.is(error.data.reason, 'findings-changed');
  await stage.close();
});

test('findings of blanks are none: no job could begin with them', async () => {
  const stage = await silent();
  await stage.say('one');
  await stage.intake.saveInvestigation(CHAT, { findings: { text: '# Something' } });
  await stage.intake.saveInvestigation(CHAT, { findings: { text: ' \n' } });
  assert.is((await stage.intake.investigation(CHAT)).findings, null);
  await stage.close();
});

test('counters that no store could hold are refused', async () => {
  const stage = await silent();
  const usage = { inputTokens: 1e300, outputTokens: 0, cachedInputTokens: 0 };
  const cost = { usd: null, priced: false };
  const counters = { turns: 1, lookups: 0, usage, contextTokens: null, cost };
  const error = await catchRefusal(() =>
    stage.intake.saveInvestigation(CHAT, { items: [1], counters }),
  );
  assert.is(error.code, 'invalid');
  await stage.close();
});

test('a transcript that is too large is refused', async () => {
  const stage = await silent();
  const items = ['x'.repeat(MAX_ITEMS_CHARS)];
  const error = await catchRefusal(() => stage.intake.saveInvestigation(CHAT, { items }));
  assert.is(error.code, 'too-large');
  await stage.close();
});

test('a transcript seeds a chat that the runner does not have', async () => {
  const stage = await silent();
  await stage.say('two', {
    transcript: [
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'first answer' },
    ],
  });
  assert.equal(stage.chats.requests[0]?.history, [
    { role: 'user', text: 'one' },
    { role: 'assistant', text: 'first answer' },
  ]);
  assert.is(stage.chats.requests[0]?.turn, 2);
  await stage.close();
});

test('what is stored counts: a transcript only fills turns that were never recorded', async () => {
  const stage = await silent();
  await stage.say('one');
  await stage.say('three', {
    transcript: [
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'remembered differently' },
      { role: 'user', content: 'two' },
      { role: 'assistant', content: 'said elsewhere' },
    ],
  });
  await stage.say('four', { transcript: [{ role: 'user', content: 'another story' }] });
  assert.equal(
    (await stage.intake.investigation(CHAT)).turns.map(({ message, answer }) => [message, answer]),
    [
      ['one', 'Yes.'],
      ['two', 'said elsewhere'],
      ['three', 'Yes.'],
      ['four', 'Yes.'],
    ],
  );
  await stage.close();
});

test('messages alone: the last one of the user is the message, the rest seeds the chat', async () => {
  const stage = await silent();
  await stage.intake.ask({
    sessionId: CHAT,
    messages: [
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'answer' },
      { role: 'user', content: 'two' },
    ],
  });
  await settleQueue();
  assert.equal(
    (await stage.intake.investigation(CHAT)).turns.map(({ message }) => message),
    ['one', 'two'],
  );
  await stage.close();
});

test('a request that says nothing is invalid, one with too much of the past too large', async () => {
  const stage = await silent();
  const nothing = await catchRefusal(() => stage.intake.ask({ sessionId: CHAT, messages: [] }));
  assert.is(nothing.code, 'invalid');
  const content = 'x'.repeat(MAX_SEED_CHARS);
  const much = await catchRefusal(() =>
    stage.intake.ask({
      sessionId: CHAT,
      message: 'two',
      transcript: [
        { role: 'user', content },
        { role: 'assistant', content: 'y' },
      ],
    }),
  );
  assert.is(much.code, 'too-large');
  assert.is(stage.store.rows.count('investigations'), 0);
  await stage.close();
});

test('a message of blanks says nothing, whatever else is given', async () => {
  const stage = await silent();
  const transcript = [{ role: 'user' as const, content: 'one' }];
  const blank = await catchRefusal(() =>
    stage.intake.ask({ sessionId: CHAT, message: ' \n\t', transcript }),
  );
  assert.is(blank.code, 'invalid');
  const messages = [{ role: 'user' as const, content: '  ' }];
  const blanks = await catchRefusal(() => stage.intake.ask({ sessionId: CHAT, messages }));
  assert.is(blanks.code, 'invalid');
  assert.is(stage.store.rows.count('investigations'), 0);
  await stage.close();
});

test('an entry without text seeds nothing: no endpoint would take it', async () => {
  const stage = await silent();
  await stage.intake.ask({
    sessionId: CHAT,
    message: 'two',
    transcript: [
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'yes' },
      { role: 'user', content: ' ' },
    ],
  });
  await settleQueue();
  assert.equal(
    stage.chats.requests[0]?.history.map(({ text }) => text),
    ['one', 'yes'],
  );
  await stage.close();
});

test('secrets of the runner are taken out of what is stored and sent', async () => {
  const stage = await ChatStage.open(async () => undefined, {
    screen: (text) => text.replaceAll('s3cret', '[secret]'),
  });
  await stage.say('my key is s3cret');
  await stage.intake.saveInvestigation(CHAT, {
    items: ['s3cret'],
    findings: { text: 'key s3cret' },
  });
  const storedText = JSON.stringify([
    stage.store.rows.all('investigations'),
    stage.store.rows.all('investigation_turns'),
    stage.chats.requests.map(({ message }) => message),
  ]);
  assert.not.match(storedText, 's3cret');
  await stage.close();
});

test('a secret of digits in a transcript leaves one that can be read', async () => {
  const stage = await ChatStage.open(async () => undefined, {
    screen: (text) => text.replaceAll('12345678', '[secret]'),
  });
  await stage.say('one');
  await stage.intake.saveInvestigation(CHAT, { items: [{ at: 12345678, text: 'a "12345678"' }] });
  assert.equal((await stage.intake.investigation(CHAT)).items, [
    { at: 12345678, text: 'a "[secret]"' },
  ]);
  await stage.close();
});

test('a warm chat and one that was read again send the same bytes', async () => {
  const script: ChatScript = async ({ look, say }) => {
    await look('scm_read_file', { path: 'a.ts' });
    await look('scm_read_file', { path: 'a.ts' });
    say('Done.');
    return undefined;
  };
  const serialiseLastRequest = ({ chats }: ChatStage): string => {
    const { system = '', history, message } = chats.requests.at(-1) ?? {};
    return JSON.stringify([system, history, message]);
  };
  const warm = await ChatStage.open(script);
  const before = await ChatStage.open(script);
  for (const message of ['one', 'two']) {
    await warm.say(message);
    await before.say(message);
  }
  const cold = await ChatStage.open(script, { store: before.store });
  await warm.say('three');
  await cold.say('three');
  assert.match(serialiseLastRequest(warm), /<evidence id=\\"E1\\"/);
  assert.is(serialiseLastRequest(cold), serialiseLastRequest(warm));
  await warm.close();
  await cold.close();
});

test('each turn begins with the bytes of the turn before: the prefix that endpoints cache is stable', async () => {
  const stage = await ChatStage.open(async ({ look, say, request }) => {
    for (let n = 0; n < 3; n++)
      await look('scm_read_file', { path: `src/${request.turn}.${n}.ts` });
    say(`Answer ${request.turn}.`);
    return undefined;
  });
  const context = (turn: number) => ({ recentRepos: [`acme/repo-${turn}`] });
  for (let turn = 1; turn <= 40; turn++)
    await stage.say(`Question ${turn}`, { context: context(turn) });
  const serialisePrefix = ({ system, history }: { system: string; history: readonly object[] }) =>
    JSON.stringify([system, ...history]).slice(0, -1);
  const { requests } = stage.chats;
  const stable = requests
    .slice(1)
    .filter((request, index) =>
      serialisePrefix(request).startsWith(serialisePrefix(requests[index] ?? request)),
    );
  assert.is(stable.length, 39);
  await stage.close();
});

test('the list shows the ones that were used last first, and reads no transcript', async () => {
  const stage = await silent();
  for (let n = 0; n < 7; n++) {
    stage.clock.advance(1_000);
    await stage.intake.saveInvestigation(`chat-${n}`, { items: [n], title: `Chat ${n}` });
  }
  const page = stage.intake.investigations({});
  assert.equal(
    page.sessions.map(({ title }) => title),
    ['Chat 6', 'Chat 5', 'Chat 4', 'Chat 3', 'Chat 2'],
  );
  assert.is(page.total, 7);
  assert.is(page.limit, 5);
  assert.equal(
    stage.intake.investigations({ limit: 2, offset: 6 }).sessions.map(({ title }) => title),
    ['Chat 0'],
  );
  await stage.close();
});

test('the keys of a page come from an index alone', () => {
  const db = new Database(':memory:');
  migrate(db, MIGRATIONS);
  const plan = db
    .all(
      'EXPLAIN QUERY PLAN SELECT rowid FROM investigations ORDER BY updated_at DESC, id DESC LIMIT 5',
    )
    .map(({ detail }) => String(detail));
  assert.equal(plan, ['SCAN investigations USING COVERING INDEX investigations_updated']);
  db.close();
});

test('chats that are only stored take no memory: reading the list makes none of them hot', async () => {
  let reads = 0;
  const stage = await ChatStage.open(async () => undefined, {
    parts: {
      drift: async (pin) => {
        reads += 1;
        return { repo: pin.slug, ref: pin.ref, commit: pin.commit, behind: 0, changed: [] };
      },
    },
  });
  for (let n = 0; n < 50; n++) await stage.intake.saveInvestigation(`chat-${n}`, { items: [n] });
  const waiting = stage.clock.waiting;
  stage.intake.investigations({ limit: 50 });
  assert.is(stage.clock.waiting, waiting);
  assert.is(reads, 0);
  await stage.close();
});

test.run();

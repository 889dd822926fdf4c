import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openModelServer } from '../../../demo/model/server.ts';
import { createBuiltinExecutor } from '../../../src/executors/builtin/createBuiltinExecutor.ts';
import { readBuiltinSettings } from '../../../src/executors/builtin/settings.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { readAtPath, toListOrEmpty } from '../../../src/base/json/untrusted.ts';
import { CHAT, ChatStage, type Reader } from '../../support/chats/chatStage.ts';
import type { ChatScript } from '../../support/chats/scriptedChat.ts';

const test = suite('plan-mode chats: a conversation that fills the window');

/** Tokens of a small window; 0.3 of them count as a character. */
const WINDOW = 10_000;
const NOTE = 'Earlier turns were shortened to make room.';

const getWindow = () => WINDOW;
const withText =
  (chars: number): ChatScript =>
  async ({ request, say }) =>
    void say(`Answer ${request.turn}. ${'x'.repeat(chars)}`);
const looking =
  (chars: number): ChatScript =>
  async ({ request, say, look }) => {
    const text = `${request.turn}\t${'y'.repeat(chars)}`;
    await look('scm_read_file', { path: `src/${request.turn}.ts`, text });
    say('Read.');
    return undefined;
  };

const hasFolded = ({ got }: Reader): boolean =>
  got.some(({ frame }) => frame.type === 'note' && frame.text === NOTE);
const serialiseLastHistory = ({ chats }: ChatStage): string =>
  JSON.stringify(chats.requests.at(-1)?.history);

async function askQuestions(stage: ChatStage, turns: number): Promise<Reader[]> {
  const readers: Reader[] = [];
  for (let n = 1; n <= turns; n += 1) readers.push(await stage.say(`Question ${n}`));
  return readers;
}

test('from 60 % of the window on a turn begins with a fold, and a note reports it (PLN-3)', async () => {
  const stage = await ChatStage.open(withText(4_000), { parts: { readContextWindow: getWindow } });
  const readers = await askQuestions(stage, 6);
  assert.equal(readers.map(hasFolded), [false, false, false, false, false, true]);
  await stage.close();
});

test('a folded turn is sent as its summary; the newest four are sent as they were', async () => {
  const stage = await ChatStage.open(withText(4_000), { parts: { readContextWindow: getWindow } });
  await askQuestions(stage, 6);
  const history = stage.chats.requests.at(-1)?.history ?? [];
  assert.match(history[0]?.text ?? '', /^Summary of earlier turns[\s\S]*Question 1/);
  assert.equal(
    history.filter(({ role }) => role === 'assistant').map(({ text }) => text.split('.')[0]),
    ['Answer 2', 'Answer 3', 'Answer 4', 'Answer 5'],
  );
  await stage.close();
});

test('people still see the whole turn, marked as folded', async () => {
  const stage = await ChatStage.open(withText(4_000), { parts: { readContextWindow: getWindow } });
  await askQuestions(stage, 6);
  const { turns } = await stage.intake.investigation(CHAT);
  assert.equal(
    turns.map(({ folded }) => folded),
    [true, false, false, false, false, false],
  );
  assert.is(turns[0]?.answer.length, 'Answer 1. '.length + 4_000);
  await stage.close();
});

test('after a restart a folded conversation is sent as the same bytes', async () => {
  const script = withText(4_000);
  const warm = await ChatStage.open(script, { parts: { readContextWindow: getWindow } });
  const before = await ChatStage.open(script, { parts: { readContextWindow: getWindow } });
  await askQuestions(warm, 6);
  await askQuestions(before, 6);
  const cold = await ChatStage.open(script, {
    parts: { readContextWindow: getWindow },
    store: before.store,
  });
  await warm.say('Question 7');
  await cold.say('Question 7');
  assert.is(serialiseLastHistory(cold), serialiseLastHistory(warm));
  await warm.close();
  await cold.close();
});

test('evidence folds first, and turns stay', async () => {
  const stage = await ChatStage.open(looking(3_000), { parts: { readContextWindow: getWindow } });
  await askQuestions(stage, 4);
  assert.match(serialiseLastHistory(stage), 'folded=');
  const { turns } = await stage.intake.investigation(CHAT);
  assert.ok(turns.every(({ folded }) => !folded));
  await stage.close();
});

test('one fold of evidence makes room for several turns: in between the bytes before stay', async () => {
  const stage = await ChatStage.open(looking(900), { parts: { readContextWindow: getWindow } });
  const readers = await askQuestions(stage, 20);
  const folds = readers.filter(hasFolded).length;
  assert.ok(folds > 0, 'no fold');
  assert.ok(folds <= 5, `${folds} folds`);
  await stage.close();
});

test('evidence that is folded in turn after turn never ends a chat whose window has room', async () => {
  const stage = await ChatStage.open(looking(900), { parts: { readContextWindow: getWindow } });
  const readers = await askQuestions(stage, 30);
  assert.ok(readers.every(({ last }) => last?.type === 'done'));
  await stage.close();
});

/** All but a little of the window is filled by what cannot be folded. */
const crowded = () =>
  ChatStage.open(withText(200), {
    parts: { readContextWindow: getWindow, systemPrompt: async () => 'x'.repeat(22_000) },
  });

test('a second fold in a row that frees too little ends the turn, and says what to do', async () => {
  const stage = await crowded();
  const readers = await askQuestions(stage, 7);
  const folded = readers.findIndex(hasFolded);
  assert.ok(folded > 0, 'no fold');
  assert.is(readers[folded]?.last?.type, 'done');
  assert.equal(readers[folded + 1]?.last, {
    type: 'error',
    message:
      'This conversation fills the window of the model, and shortening it frees too little. Start a new chat from these findings.',
    reason: 'window-full',
  });
  await stage.close();
});

test('the message of such a turn is kept, and the model was not asked', async () => {
  const stage = await crowded();
  await askQuestions(stage, 7);
  const { turns } = await stage.intake.investigation(CHAT);
  const refused = turns.find(({ state }) => state === 'failed');
  assert.is(refused?.reason, 'window-full');
  assert.is(refused?.message, `Question ${refused?.n}`);
  assert.ok(stage.chats.requests.every(({ turn }) => turn !== refused?.n));
  await stage.close();
});

test('an endpoint is sent the shortened conversation', async () => {
  await using model = await openModelServer({
    scripts: { long: [{ say: `Long. ${'x'.repeat(4_000)}` }] },
  });
  const settings = { baseUrl: model.url, apiKey: 'key', model: 'claude-sonnet-4-5' };
  const executor = createBuiltinExecutor({
    clock: systemClock,
    settings: readBuiltinSettings(settings),
  });
  const stage = await ChatStage.open(withText(0), {
    executor,
    parts: { readContextWindow: getWindow },
  });
  for (let n = 1; n <= 6; n += 1) await stage.answer(`Question ${n} @@long`);
  const bodies = model.requests.played.map(({ body }) => body);
  assert.not.match(JSON.stringify(bodies[4]), 'Summary of earlier turns');
  assert.match(JSON.stringify(bodies[5]), 'Summary of earlier turns');
  const answers = toListOrEmpty(bodies[5]?.messages).filter(
    (message) => readAtPath(message, 'role') === 'assistant',
  );
  assert.is(answers.length, 4);
  await stage.close();
});

test.run();

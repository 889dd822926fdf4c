import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FRAMES_KEPT_BYTES, SETTLED_FRAMES_BYTES } from '../../../src/base/limits/intakeLimits.ts';
import type { ScriptedTurn } from '../../support/chats/scriptedChat.ts';
import { CHAT, ChatStage, type Reader, settleQueue } from '../../support/chats/chatStage.ts';

const test = suite('plan-mode chats: who watches');

/** A turn that a test plays by hand. */
const byHand = async () => {
  const turns: ScriptedTurn[] = [];
  const ends: (() => void)[] = [];
  const stage = await ChatStage.open(async (turn) => {
    turns.push(turn);
    await Promise.race([new Promise<void>((end) => ends.push(end)), turn.stopped]);
    return undefined;
  });
  return {
    stage,
    turn: (n = 1): ScriptedTurn => {
      const one = turns[n - 1];
      if (!one) throw new Error(`turn ${n} has not begun`);
      return one;
    },
    end: async () => {
      ends.shift()?.();
      await settleQueue();
    },
  };
};

test('the first part goes out at once, later ones are joined for 25 ms or 256 characters', async () => {
  const { stage, turn, end } = await byHand();
  const reader = await stage.say('go');
  const { say } = turn();
  say('a');
  assert.is(reader.text, 'a');
  say('b');
  say('c');
  assert.is(reader.text, 'a');
  stage.clock.advance(25);
  assert.is(reader.text, 'abc');
  assert.equal(reader.types, ['turn', 'token', 'token']);
  say('d');
  say('e'.repeat(300));
  assert.is(reader.text.length, 304);
  await end();
  await stage.close();
});

test('two readers of one turn get the same frames', async () => {
  const { stage, turn, end } = await byHand();
  const first = await stage.say('go');
  turn().say('one');
  const second = stage.watch(null);
  turn().say('two');
  await end();
  assert.equal(second.got, first.got);
  assert.ok(second.ended);
  await stage.close();
});

test('a reader that leaves changes nothing for the turn, nor for the other reader', async () => {
  const { stage, turn, end } = await byHand();
  const first = await stage.say('go');
  const second = stage.watch(null);
  turn().say('one');
  first.leave();
  stage.clock.advance(25);
  turn().say('two');
  await end();
  assert.is(first.text, 'one');
  assert.is(second.text, 'onetwo');
  assert.is((await stage.intake.investigation(CHAT)).turns[0]?.answer, 'onetwo');
  await stage.close();
});

test('a reader that comes back gets what came since, each character once', async () => {
  const { stage, turn, end } = await byHand();
  const first = await stage.say('go');
  turn().say('one');
  turn().say('two');
  const after = first.got.at(-1)?.id ?? null;
  first.leave();
  const second = stage.watch(after);
  stage.clock.advance(25);
  turn().say('three');
  await end();
  assert.is(first.text + second.text, 'onetwothree');
  await stage.close();
});

test('a reader that comes back after the end of the turn gets its end', async () => {
  const { stage, turn, end } = await byHand();
  const first = await stage.say('go');
  turn().say('one');
  await end();
  const second = stage.watch(first.got[0]?.id ?? null);
  assert.equal(second.types, ['token', 'done']);
  assert.ok(second.ended);
  await stage.close();
});

test('frames that are no longer kept are a gap', async () => {
  const { stage, turn, end } = await byHand();
  await stage.say('go');
  for (let n = 0; n < FRAMES_KEPT_BYTES / 10_000 + 2; n++) turn().say('x'.repeat(10_000));
  const late = stage.watch('1.1');
  assert.equal(late.types, ['gap']);
  assert.ok(late.ended);
  const { lastFrame } = await stage.intake.investigation(CHAT);
  const again = stage.watch(lastFrame);
  turn().say('y'.repeat(300));
  await end();
  assert.is(again.text, 'y'.repeat(300));
  await stage.close();
});

test('once a turn is over, only those who are a little behind get its frames', async () => {
  const { stage, turn, end } = await byHand();
  await stage.say('go');
  const parts = Math.ceil(SETTLED_FRAMES_BYTES / 1_000);
  for (let n = 0; n < parts; n++) turn().say('x'.repeat(1_000));
  const { lastFrame } = await stage.intake.investigation(CHAT);
  turn().say('y'.repeat(1_000));
  const early = stage.watch('1.1');
  assert.is(early.text.length, (parts + 1) * 1_000, 'while it runs all frames are kept');
  await end();
  assert.equal(stage.watch('1.1').types, ['gap']);
  assert.equal(stage.watch(lastFrame).types, ['token', 'done']);
  await stage.close();
});

test('an id of an earlier runner is a gap; without a turn a reader is notified that nothing runs', async () => {
  const { stage, end } = await byHand();
  await stage.say('go');
  await end();
  assert.equal(stage.watch('7.3').types, ['gap']);
  assert.equal(stage.watch(null).types, ['idle']);
  await stage.close();
  const next = await ChatStage.open(async () => undefined, { store: stage.store });
  assert.equal(next.watch('1.2').types, ['gap']);
  assert.equal(next.watch(null).types, ['idle']);
  await next.close();
});

test('a session that is read in the middle of a turn has exactly what came up to its last frame', async () => {
  const { stage, turn, end } = await byHand();
  await stage.say('go');
  turn().say('one');
  turn().say('two');
  const { turns, lastFrame, running } = await stage.intake.investigation(CHAT);
  assert.ok(running);
  const rest = stage.watch(lastFrame);
  turn().say('three');
  await end();
  assert.is(`${turns[0]?.answer}${rest.text}`, 'onetwothree');
  await stage.close();
});

test('readers of a turn are sent away when the runner stops, and the text so far is stored', async () => {
  const { stage, turn } = await byHand();
  const reader = await stage.say('go');
  turn().say('one');
  await stage.close();
  assert.ok(reader.ended);
  const row = stage.store.rows.one('investigation_turns', { investigation: CHAT, n: 1 });
  assert.is(row?.state, 'lost');
  assert.is(row?.answer, 'one');
});

/** A repeatable random number below `below`. */
const createRandom = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % below;
  };
};

/** A turn of random parts while its reader is lost and comes back at random. */
async function droppedTurn(seed: number): Promise<{ read: string; said: string; gaps: number }> {
  const random = createRandom(seed);
  const { stage, turn, end } = await byHand();
  let reader = await stage.say('go');
  const all: Reader[] = [reader];
  let said = '';
  for (let part = 0; part < 60; part++) {
    const text = `<${part}>`.repeat(1 + random(5));
    turn().say(text);
    said += text;
    if (random(3) === 0) stage.clock.advance(random(40));
    if (random(4) !== 0) continue;
    const after = all.flatMap(({ got }) => got).at(-1)?.id ?? null;
    reader.leave();
    if (random(2) === 0) {
      turn().say('…');
      said += '…';
    }
    reader = stage.watch(after);
    all.push(reader);
  }
  await end();
  await stage.close();
  return {
    read: all.map(({ text }) => text).join(''),
    said,
    gaps: all.filter(({ types }) => types.includes('gap')).length,
  };
}

/** `SVC_CHAT_DROPS` plays more of them: 50 turns are about 1,000 drops. */
const TURNS = Number(process.env.SVC_CHAT_DROPS ?? 4);

test(`random drops in ${TURNS} turns: no character is lost or comes twice`, async () => {
  for (let seed = 1; seed <= TURNS; seed++) {
    const { read, said, gaps } = await droppedTurn(seed);
    assert.is(read, said, `seed ${seed}`);
    assert.is(gaps, 0, `seed ${seed}`);
  }
});

test.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CHAT_IDLE_MS } from '../../../src/base/limits/intakeLimits.ts';
import { HotChats } from '../../../src/intake/hotChats.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';

const test = suite('plan-mode chats: which are in memory');

class Chat {
  bytes = 10;
  isBusy = false;
  closed = false;

  async close(): Promise<void> {
    this.closed = true;
  }
}

const open = (maxBytes = 1_000) => {
  const clock = new SimulatedClock();
  return { clock, chats: new HotChats({ clock, maxBytes, make: () => new Chat() }) };
};

test('one that was not used for 12 hours is forgotten', () => {
  const { clock, chats } = open();
  const chat = chats.use('a');
  clock.advance(CHAT_IDLE_MS - 1);
  assert.is(chats.find('a'), chat);
  clock.advance(CHAT_IDLE_MS / 12 + 1);
  assert.is(chats.find('a'), undefined);
  assert.ok(chat.closed);
  assert.is(clock.waiting, 0);
});

test('each use begins the 12 hours again', () => {
  const { clock, chats } = open();
  chats.use('a');
  clock.advance(CHAT_IDLE_MS - 1);
  chats.use('a');
  clock.advance(CHAT_IDLE_MS - 1);
  assert.ok(chats.find('a'));
});

test('over the limit those that were used longest ago leave first', () => {
  const { chats } = open(25);
  for (const id of ['a', 'b', 'c']) chats.use(id);
  chats.use('a');
  chats.shrink();
  assert.is(chats.find('b'), undefined);
  assert.ok(chats.find('a'));
  assert.ok(chats.find('c'));
  assert.is(chats.bytes, 20);
});

test('one in which a turn runs stays, however long and however large', () => {
  const { clock, chats } = open(5);
  const chat = chats.use('a');
  chat.isBusy = true;
  chats.shrink();
  clock.advance(CHAT_IDLE_MS * 2);
  assert.is(chats.find('a'), chat);
  chat.isBusy = false;
  clock.advance(CHAT_IDLE_MS);
  assert.is(chats.find('a'), undefined);
});

test.run();

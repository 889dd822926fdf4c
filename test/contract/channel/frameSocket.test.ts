import { EventEmitter } from 'node:events';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CLOSE_CODES } from '../../../src/contract/channel/closeCodes.ts';
import { FrameSocket, MAX_UNSENT_BYTES } from '../../../src/contract/channel/frameSocket.ts';

const test = suite('socket of frames');

/** A WebSocket as far as frames use it, and what was done with it. */
function openRaw() {
  const done: string[] = [];
  const state = { bufferedAmount: 0, readyState: 1 };
  const raw = Object.assign(new EventEmitter(), {
    send: () => void done.push('send'),
    close: (code: number) => void done.push(`close ${code}`),
    terminate: () => void done.push('terminate'),
    pause: () => undefined,
    resume: () => undefined,
  });
  Object.defineProperties(raw, {
    bufferedAmount: { get: () => state.bufferedAmount },
    readyState: { get: () => state.readyState },
  });
  const typed = raw as typeof raw & typeof state;
  const frames = new FrameSocket(typed, { onFrame: () => undefined, onClose: () => undefined });
  return { done, state, frames };
}

test('frames of one turn go out in one write', async () => {
  const { done, frames } = openRaw();
  frames.collectOn({ cork: () => void done.push('cork'), uncork: () => void done.push('uncork') });
  frames.send({ type: 'beat', n: 1 });
  await Promise.resolve();
  frames.send({ type: 'beat', n: 2 });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(done, ['cork', 'send', 'send', 'uncork']);
  frames.send({ type: 'beat', n: 3 });
  assert.equal(done.slice(4), ['cork', 'send']);
});

test('a frame that someone waits for goes out at once, and the turn ends without another write', async () => {
  const { done, frames } = openRaw();
  frames.collectOn({ cork: () => void done.push('cork'), uncork: () => void done.push('uncork') });
  frames.send({ type: 'beat', n: 1 });
  frames.flush();
  assert.equal(done, ['cork', 'send', 'uncork']);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(done, ['cork', 'send', 'uncork']);
  frames.flush();
  assert.equal(done, ['cork', 'send', 'uncork']);
});

test('a side that leaves more than 4 MiB unread is disconnected at once', () => {
  const { done, state, frames } = openRaw();
  assert.is(MAX_UNSENT_BYTES, 4 * 1024 * 1024);
  state.bufferedAmount = MAX_UNSENT_BYTES;
  frames.send({ type: 'beat', n: 1 });
  state.bufferedAmount += 1;
  frames.send({ type: 'beat', n: 2 });
  assert.equal(done, ['send', `close ${CLOSE_CODES.slow}`, 'terminate']);
  assert.is(frames.isOpen, false);
});

test.run();

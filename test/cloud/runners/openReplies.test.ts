import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/base/time/clock.ts';
import type { Frame } from '../../../src/contract/channel/frames.ts';
import { OpenReplies, REPLY_MS } from '../../../src/cloud/runners/openReplies.ts';

const test = suite('cloud: requests to a runner that reads nothing');

/** A socket on which no part of a body fits. */
function openFull(clock = systemClock) {
  const sent: Frame[] = [];
  const replies = new OpenReplies(
    {
      send: (frame) => void sent.push(frame),
      flush: () => undefined,
      hasRoom: () => new Promise<boolean>(() => undefined),
    },
    clock,
  );
  const leaving = new AbortController();
  const reply = replies.ask({
    method: 'POST',
    path: '/jobs',
    headers: {},
    body: new Uint8Array(100),
    person: null,
    signal: leaving.signal,
  });
  return { replies, sent, leaving, reply };
}

test('the only open request goes out at once; several of one turn share a write', async () => {
  const sent: string[] = [];
  const replies = new OpenReplies(
    {
      send: ({ type }) => void sent.push(type),
      flush: () => void sent.push('flush'),
      hasRoom: async () => true,
    },
    systemClock,
  );
  const ask = () =>
    replies
      .ask({
        method: 'GET',
        path: '/jobs',
        headers: {},
        body: null,
        person: null,
        signal: new AbortController().signal,
      })
      .catch(() => undefined);
  const answers = [ask(), ask()];
  assert.equal(sent, ['request', 'flush', 'request']);
  replies.end();
  await Promise.all(answers);
});

test('a reply that comes in one frame is complete with its first frame', async () => {
  const { replies, sent, reply: answer } = openFull();
  assert.is(sent[0]?.type === 'request' && sent[0].takesFullReply, true);
  const id = sent[0]?.type === 'request' ? sent[0].id : '';
  const body = new TextEncoder().encode('{}');
  replies.take({ type: 'response', id, status: 200, headers: {}, isFull: true, body });
  const reply = await answer;
  assert.is(String(reply.fullBody), String(body));
  const parts: Uint8Array[] = [];
  for await (const part of reply.body) parts.push(part);
  assert.equal(parts, [body]);
  // What a runner sends of it afterwards is of no request.
  replies.take({ type: 'part', id, end: true, body });
  replies.end();
  assert.is(sent.length, 1);
});

test('a client can leave, and the runner is notified', async () => {
  const { sent, leaving, reply } = openFull();
  leaving.abort(new Error('left'));
  assert.is(await reply.catch((error: Error) => error.message), 'left');
  assert.equal(
    sent.map(({ type }) => type),
    ['request', 'cancel'],
  );
});

test('the time for its answer ends', async () => {
  const timers: (() => void)[] = [];
  const { reply } = openFull({
    now: () => 0,
    at: (due, run) => {
      assert.is(due, REPLY_MS);
      timers.push(run);
      return () => undefined;
    },
  });
  for (const run of timers) run();
  assert.is(await reply.catch((error) => Object(error).code), 'runner-timeout');
});

test('a refusal that comes before the body was sent is the answer', async () => {
  const { replies, sent, reply } = openFull();
  const none = new Uint8Array();
  replies.take({ type: 'response', id: '1', status: 503, headers: {}, body: none });
  assert.is((await reply).status, 503);
  assert.is(sent.length, 1);
});

test.run();

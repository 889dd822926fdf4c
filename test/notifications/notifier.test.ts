import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createDeferred } from '../../src/base/concurrency/createDeferred.ts';
import type { SendOutcome } from '../../src/notifications/channels/channel.ts';
import { makeRule, openNotifierStage } from './notifierStage.ts';

const test = suite('notifications: delivery');

const REFUSED: SendOutcome = {
  is: 'refused',
  problem: 'answered 503',
  final: false,
  retryAfterMs: null,
};

test('forty facts within the batch are one message', async () => {
  const stage = await openNotifierStage();
  await stage.open().start();
  const ids = Array.from({ length: 40 }, (_, n) => `f${n + 10}`);
  for (const id of ids) await stage.note(id);
  await stage.pass(29_000);
  assert.equal(stage.chat.facts, []);
  await stage.pass(2_000);
  assert.equal(stage.chat.facts, [ids]);
  assert.equal(stage.states(), ['sent']);
  assert.is(stage.store.rows.count('notification_facts'), 0);
});

test('a channel that does not answer does not delay another', async () => {
  const stage = await openNotifierStage([makeRule('chat'), makeRule('hook')]);
  const never = createDeferred<SendOutcome>();
  stage.chat.answers.push(never.promise);
  const notifier = stage.open();
  await notifier.start();
  await stage.note('a');
  await stage.pass(31_000);
  await stage.note('b');
  await stage.pass(31_000);
  assert.equal(stage.hook.facts, [['a'], ['b']]);
  assert.equal(stage.chat.facts, [['a']]);
  never.resolve({ is: 'delivered' });
  await notifier.stop(0);
});

test('a stop does not wait for a write that is not answered, as without the control plane of a team', async () => {
  const stage = await openNotifierStage();
  const notifier = stage.open({ writeRows: () => new Promise(() => {}) });
  await notifier.start();
  await stage.note('a');
  await stage.pass(1_000);
  let isStopped = false;
  void notifier.stop(3_000).then(() => {
    isStopped = true;
  });
  await stage.pass(3_500);
  assert.is(isStopped, false);
  await stage.pass(500);
  assert.is(isStopped, true);
});

test('what comes while a channel is away waits, and is one message when it is back', async () => {
  const stage = await openNotifierStage();
  stage.chat.answers.push(REFUSED);
  await stage.open().start();
  await stage.note('a');
  await stage.pass(31_000);
  await stage.note('b');
  await stage.note('c');
  await stage.pass(60_000);
  assert.equal(stage.chat.facts, [['a'], ['a'], ['b', 'c']]);
  assert.is(stage.chat.sent[0]?.id, stage.chat.sent[1]?.id);
});

test('a channel that asks for time gets it', async () => {
  const stage = await openNotifierStage();
  stage.chat.answers.push({ ...REFUSED, retryAfterMs: 300_000 });
  await stage.open().start();
  await stage.note('a');
  await stage.pass(31_000);
  assert.is(stage.chat.sent.length, 1);
  await stage.pass(290_000);
  assert.is(stage.chat.sent.length, 1);
  await stage.pass(15_000);
  assert.is(stage.chat.sent.length, 2);
});

test('a channel whose settings were changed is tried at once', async () => {
  const stage = await openNotifierStage();
  stage.chat.answers.push({ ...REFUSED, retryAfterMs: 300_000 });
  const notifier = stage.open();
  await notifier.start();
  await stage.note('a');
  await stage.pass(31_000);
  await notifier.settingsChanged();
  await stage.pass(1_000);
  assert.is(stage.chat.sent.length, 1);
  Object.assign(stage.settings.channels.chat ?? {}, { url: 'http://127.0.0.1/repaired' });
  await notifier.settingsChanged();
  await stage.pass(1_000);
  assert.is(stage.chat.sent.length, 2);
});

test('after a crash in an attempt, a webhook gets the message again, and a chat does not', async () => {
  const stage = await openNotifierStage([makeRule('chat'), makeRule('hook')]);
  const never = createDeferred<SendOutcome>();
  stage.chat.answers.push(never.promise);
  stage.hook.answers.push(never.promise);
  await stage.open().start();
  await stage.note('a');
  await stage.pass(31_000);
  // Another process, which finds the rows as the first one has left them.
  await stage.open().start();
  await stage.pass(31_000);
  assert.equal(stage.hook.facts, [['a'], ['a']]);
  assert.is(stage.hook.sent[0]?.id, stage.hook.sent[1]?.id);
  assert.equal(stage.chat.facts, [['a']]);
  assert.equal(stage.states().sort(), ['sent', 'unknown']);
});

test('a chat is not notified of what was settled within the batch; a webhook is', async () => {
  const stage = await openNotifierStage([makeRule('chat'), makeRule('hook')]);
  await stage.open().start();
  const row = {
    id: 'j1/approval/0',
    kind: 'needs-you' as const,
    reason: 'approval',
    job_id: 'j1',
    at: 0,
    text: '',
  };
  await stage.writeRows([{ op: 'put', table: 'notification_facts', row }]);
  await stage.pass(31_000);
  assert.equal(stage.chat.sent, []);
  assert.is(stage.hook.sent[0]?.items[0]?.resolved, true);
  assert.equal(stage.states().sort(), ['obsolete', 'sent']);
});

test('a report is written once a day, also over a restart', async () => {
  const stage = await openNotifierStage([makeRule('chat', { kinds: ['report'], batchSeconds: 0 })]);
  const first = stage.open();
  await first.start();
  await stage.pass(8 * 3_600_000 - 120_000, 600_000);
  assert.equal(stage.chat.facts, []);
  await stage.pass(240_000);
  await first.stop(0);
  await stage.open().start();
  await stage.pass(240_000);
  assert.equal(stage.chat.facts, [['report/day/1970-01-01']]);
  assert.is(stage.chat.sent[0]?.items[0]?.why, 'the last 1 days');
});

test('a message of a channel that is not configured any more is given up after three days', async () => {
  const stage = await openNotifierStage();
  await stage.open().start();
  await stage.note('a');
  await stage.pass(1_000);
  Reflect.deleteProperty(stage.settings.channels, 'chat');
  stage.clock.advance(3 * 86_400_000);
  await stage.pass(120_000);
  assert.equal(stage.states(), ['failed']);
});

test.run();

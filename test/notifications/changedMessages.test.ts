import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createDeferred } from '../../src/base/concurrency/createDeferred.ts';
import type { Tables } from '../../src/contract/records/tables.ts';
import type { SendOutcome } from '../../src/notifications/channels/channel.ts';
import { makeRule, openNotifierStage } from './notifierStage.ts';

const test = suite('notifications: messages that are changed');

const toRow = (id: string, ask: Tables['job_list']['ask'], since: number): Tables['job_list'] => ({
  job_id: id,
  parent: null,
  kind: 'job',
  status: 'waiting',
  state: ask === null ? 'working' : 'waiting',
  ask,
  since,
  dismissed_at: null,
  repo: null,
  workflow: 'w.md',
  phase: 'p',
  title: id,
  created_at: 1,
  text: '',
});

/** A stage whose jobs are rows, and whose chat can change what it has sent. */
async function openStage() {
  const stage = await openNotifierStage([makeRule('chat')]);
  stage.chat.handle = 'ts-1';
  const job = (id: string) => {
    const row = stage.store.rows.one('job_list', { job_id: id });
    if (row === undefined) return null;
    const since = new Date(row.since).toISOString();
    return {
      description: id,
      repoSlug: null,
      workflowPath: 'w.md',
      phase: 'p',
      reason: null,
      needs:
        row.ask === null ? null : { group: 'decide' as const, ask: 'approval' as const, since },
    };
  };
  const open = () =>
    stage.open({
      sources: () => ({ job, schedule: () => null, screen: (text) => text, baseUrl: 'http://svc' }),
    });
  return {
    ...stage,
    open,
    async put(ask: Tables['job_list']['ask'], since: number, ...ids: string[]): Promise<void> {
      await stage.writeRows(
        ids.map((id) => ({ op: 'put', table: 'job_list', row: toRow(id, ask, since) })),
      );
      stage.commit();
    },
    /** Which items each change says are settled. */
    settled: () =>
      stage.chat.changed.map(({ message }) =>
        message.items.map(({ title, resolved }) => `${title} ${resolved ? 'settled' : 'open'}`),
      ),
    shown: () => stage.store.rows.count('notification_shown'),
  };
}

test('a message whose approval was given elsewhere is changed', async () => {
  const stage = await openStage();
  await stage.open().start();
  await stage.put('approval', 1, 'j1');
  await stage.pass(31_000);
  await stage.put(null, 2, 'j1');
  await stage.pass(1_000);
  assert.equal(stage.settled(), [['j1 settled']]);
  assert.is(stage.chat.changed[0]?.handle, 'ts-1');
  assert.is(stage.chat.sent.length, 1);
  assert.is(stage.shown(), 0);
});

test('one with several approvals is changed with each, until none is open', async () => {
  const stage = await openStage();
  await stage.open().start();
  await stage.put('approval', 1, 'j1', 'j2');
  await stage.pass(31_000);
  await stage.put(null, 2, 'j2');
  await stage.pass(1_000);
  await stage.put(null, 3, 'j1');
  await stage.pass(1_000);
  assert.equal(stage.settled(), [
    ['j1 open', 'j2 settled'],
    ['j1 settled', 'j2 settled'],
  ]);
  assert.is(stage.shown(), 0);
});

test('what is settled while the message is sent is found after it', async () => {
  const stage = await openStage();
  const sending = createDeferred<SendOutcome>();
  stage.chat.answers.push(sending.promise);
  await stage.open().start();
  await stage.put('approval', 1, 'j1');
  await stage.pass(31_000);
  await stage.put(null, 2, 'j1');
  sending.resolve({ is: 'delivered', handle: 'ts-1' });
  await stage.pass(1_000);
  assert.equal(stage.settled(), [['j1 settled']]);
});

test('a change that a crash has kept back is made after it', async () => {
  const stage = await openStage();
  const first = stage.open();
  await first.start();
  await stage.put('approval', 1, 'j1');
  await stage.pass(31_000);
  await first.stop(0);
  await stage.put(null, 2, 'j1');
  await stage.open().start();
  await stage.pass(1_000);
  assert.equal(stage.settled(), [['j1 settled']]);
});

test('a service that refuses a change is asked again', async () => {
  const stage = await openStage();
  stage.chat.changeAnswers.push({
    is: 'refused',
    problem: 'answered 429',
    final: false,
    retryAfterMs: 60_000,
  });
  await stage.open().start();
  await stage.put('approval', 1, 'j1');
  await stage.pass(31_000);
  await stage.put(null, 2, 'j1');
  await stage.pass(30_000);
  assert.is(stage.chat.changed.length, 1);
  assert.is(stage.store.rows.all('notification_channels')[0]?.failures, 1);
  await stage.pass(40_000);
  assert.is(stage.chat.changed.length, 2);
  assert.is(stage.store.rows.all('notification_channels')[0]?.failures, 0);
});

test('a message that cannot be changed is left alone', async () => {
  const stage = await openStage();
  stage.chat.handle = null;
  await stage.open().start();
  await stage.put('approval', 1, 'j1');
  await stage.pass(31_000);
  await stage.put(null, 2, 'j1');
  await stage.pass(1_000);
  assert.equal(stage.chat.changed, []);
  assert.is(stage.shown(), 0);
});

test.run();

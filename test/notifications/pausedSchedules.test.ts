import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SvcError } from '../../src/base/errors/errors.ts';
import { readNotifiedSchedule } from '../../src/host/start/readNotifiedSchedule.ts';
import type { NotificationRule } from '../../src/contract/schema/runner/notificationSettings.ts';
import { Notifier } from '../../src/notifications/notifier.ts';
import { aRule, ScheduleStage } from '../support/charts/scheduleStage.ts';
import { HeldChannel, makeRule } from './notifierStage.ts';

const test = suite('notifications: schedules that pause themselves');

const MINUTE = 60_000;
const START = Date.UTC(2026, 5, 1, 12);

/** A schedule of `acme/shop` for every fifth minute, and a chat whose messages can be changed. */
async function openStage(rule: Partial<NotificationRule> = {}) {
  const stage = new ScheduleStage(
    [aRule({ cron: '*/5 * * * *', params: { repoSlug: 'acme/shop' } })],
    START,
  );
  await stage.start();
  const { store, clock, kernel } = stage;
  const chat = new HeldChannel(false);
  chat.handle = 'ts-1';
  let serial = 0;
  const notifier = new Notifier({
    rows: store.rows,
    writeRows: async (rows) => void (await kernel.submit({ rows })),
    onCommit: (listener) => kernel.onCommit(listener),
    clock,
    nextId: () => String(++serial),
    log: { error() {}, warn() {} },
    mayAct: () => undefined,
    settings: () => ({
      channels: { chat: { type: 'slack', enabled: true } },
      rules: [makeRule('chat', rule)],
      report: { every: 'day', at: '08:00', weekday: 'mon' },
    }),
    openChannel: () => chat,
    sources: () => ({
      job: () => null,
      schedule: (name) => readNotifiedSchedule(stage.settings.schedules, store, name),
      screen: (text) => text,
      baseUrl: 'http://svc',
    }),
    listReviewers: () => [],
    describeReport: async () => '',
  });
  await notifier.start();
  return { stage, chat };
}

/** Times at which its job cannot be created, as without the workflow or the repository. */
async function refuseTimes(stage: ScheduleStage, count: number): Promise<void> {
  stage.refusal = new SvcError('invalid', 'workflows/job.md was not found.');
  await stage.advance(count * 5 * MINUTE + 40_000);
}

test('one whose workflow or repository is gone is reported with its last failures', async () => {
  const { stage, chat } = await openStage();
  await refuseTimes(stage, 2);
  assert.equal(chat.sent, []);
  await refuseTimes(stage, 1);
  assert.is(chat.sent.length, 1);
  const [item] = chat.sent[0]?.items ?? [];
  assert.equal(item, {
    id: `schedule.nightly/paused/${Date.UTC(2026, 5, 1, 12, 15)}`,
    kind: 'broken',
    reason: 'schedule-paused',
    label: 'Schedule paused',
    title: 'nightly',
    why: 'It has failed three times in a row. Fix the cause, then resume it.',
    since: '2026-06-01T12:15:00.000Z',
    resolved: false,
    url: 'http://svc/dashboard/#/schedules',
    job: null,
    schedule: {
      name: 'nightly',
      repository: 'acme/shop',
      workflow: 'workflows/job.md',
      failures: [15, 10, 5].map((minute) => ({
        time: new Date(START + minute * MINUTE).toISOString(),
        jobId: null,
        why: 'workflows/job.md was not found.',
      })),
    },
  });
});

test('it is reported in the commit of the third failure, also where the runner dies after it', async () => {
  const { stage, chat } = await openStage();
  for (let time = 0; time < 3; time += 1) {
    await stage.advance(5 * MINUTE);
    await stage.end(stage.jobs.at(-1)?.id ?? '', 'fail');
  }
  stage.die();
  assert.equal(chat.sent, []);
  assert.equal(
    stage.store.rows.all('notification_facts').map(({ reason, text }) => [reason, text]),
    [['schedule-paused', 'nightly']],
  );
});

for (const [rule, count] of [
  [{ workflows: ['workflows/job.md'] }, 1],
  [{ workflows: ['workflows/other.md'] }, 0],
  [{ repositories: ['acme/*'] }, 1],
  [{ repositories: ['other/*'] }, 0],
  [{ people: ['ada'] }, 0],
  [{ kinds: ['runner'] }, 0],
] as const)
  test(`a rule chooses it by ${JSON.stringify(rule)}: ${count}`, async () => {
    const { stage, chat } = await openStage(rule);
    await refuseTimes(stage, 3);
    assert.is(chat.sent.length, count);
  });

test('a message about it is changed when a person resumes it', async () => {
  const { stage, chat } = await openStage();
  await refuseTimes(stage, 3);
  stage.refusal = null;
  await stage.service.resumeSchedule('nightly', { by: 'token' });
  await stage.advance(MINUTE);
  assert.equal(
    chat.changed.map(({ message, handle }) => [handle, message.items[0]?.resolved]),
    [['ts-1', true]],
  );
});

test('one that is resumed within the batch is not reported', async () => {
  const { stage, chat } = await openStage({ batchSeconds: 120 });
  await refuseTimes(stage, 3);
  await stage.service.resumeSchedule('nightly', { by: 'token' });
  await stage.advance(3 * MINUTE);
  assert.equal(chat.sent, []);
});

test.run();

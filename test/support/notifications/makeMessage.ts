import type {
  NotificationItem,
  NotificationMessage,
} from '../../../src/notifications/message/notificationMessage.ts';

/** A failed job, with other members as they are given. */
export const makeItem = (more: Partial<NotificationItem> = {}): NotificationItem => ({
  id: 'j1/failed/0',
  kind: 'broken',
  reason: 'failed',
  label: 'Failed',
  title: 'Fix the <cart> & *total*',
  why: 'The agent ended with code 1.',
  since: '2026-06-10T12:00:00.000Z',
  resolved: false,
  url: 'https://svc.example.com/dashboard/#/jobs/j1',
  job: {
    id: 'j1',
    repository: 'acme/shop',
    workflow: 'workflows/job.md',
    phase: 'coding',
    costUsd: 1.5,
    tokens: 2_000,
    lastLines: ['npm test', 'Error: 3 tests failed'],
    firstError: { line: 12, text: 'Error: 3 tests failed' },
    exitCode: 1,
  },
  schedule: null,
  ...more,
});

export const makeMessage = (items: NotificationItem[] = [makeItem()]): NotificationMessage => ({
  id: 'msg_1',
  type: 'notification',
  at: '2026-06-10T12:00:00.000Z',
  title: items.length === 1 ? `Failed: ${items[0]?.title}` : `${items.length} jobs are broken`,
  url: 'https://svc.example.com/dashboard/#/inbox',
  items,
});

/** The largest message that svc makes: a hundred items, each text as long as it may be. */
export const makeLargestMessage = (): NotificationMessage => {
  const { job } = makeItem();
  const item = makeItem({
    title: '<&>*'.repeat(50),
    why: '<&>_'.repeat(125),
    job: job && { ...job, lastLines: Array.from({ length: 6 }, () => 'é`<'.repeat(100)) },
  });
  return makeMessage(Array.from({ length: 100 }, () => item));
};

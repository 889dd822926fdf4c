/*
 * A runner's notifications on a real state: writes jobs that ask for approval, names each on stdout once it is durable,
 * and ends when everything is delivered. The test that starts it kills it before.
 */
import { systemClock } from '../../../src/base/time/clock.ts';
import { pause } from '../../../src/base/time/pause.ts';
import { randomIds } from '../../../src/base/system/ids/ids.ts';
import type { Kernel } from '../../../src/contract/records/changes.ts';
import type { Tables } from '../../../src/contract/records/tables.ts';
import type {
  NotificationRule,
  NotificationSettings,
} from '../../../src/contract/schema/runner/notificationSettings.ts';
import { openStore } from '../../../src/jobs/store/openStore.ts';
import { createKernel } from '../../../src/kernel/kernel.ts';
import { openChannel } from '../../../src/notifications/channels/openChannel.ts';
import { splitByBrowser } from '../../../src/notifications/push/browserChannels.ts';
import type { PushKeys } from '../../../src/notifications/push/pushKeys.ts';
import { Notifier } from '../../../src/notifications/notifier.ts';

export interface ProgramOptions {
  stateFile: string;
  folder: string;
  jobs: number;
  hookUrl: string;
  hookSecret: string;
  chatUrl: string;
  pushKeys: PushKeys;
  subscription: Tables['push_subscriptions'];
}

/** Gap between two jobs, ms. */
const GAP_MS = 5;
const SINCE = 1_000;

const {
  stateFile,
  folder,
  jobs,
  hookUrl,
  hookSecret,
  chatUrl,
  pushKeys,
  subscription,
}: ProgramOptions = JSON.parse(process.argv[2] ?? '');
const store = openStore({ file: stateFile, pid: process.pid, now: Date.now() });
const kernel: Kernel = createKernel({
  screen: null,
  store: store.durable,
  charts: [],
  ports: {},
  clock: systemClock,
});
await kernel.start();
const makeRule = (channel: string): NotificationRule => ({
  channel,
  kinds: ['needs-you'],
  repositories: [],
  workflows: [],
  people: [],
  batchSeconds: 0,
});
const settings: NotificationSettings = {
  channels: {
    hook: { type: 'webhook', enabled: true, url: hookUrl, secret: hookSecret },
    chat: { type: 'slack', enabled: true, url: chatUrl },
    script: {
      type: 'command',
      enabled: true,
      command: ['sh', '-c', 'cat >> taken; echo >> taken'],
    },
    push: { type: 'web-push', enabled: true, allowHosts: ['127.0.0.1'] },
  },
  rules: ['hook', 'chat', 'script', 'push'].map(makeRule),
  report: { every: 'day', at: '08:00', weekday: 'mon' },
};
const notifier = new Notifier({
  rows: store.rows,
  async writeRows(rows) {
    await kernel.submit({ rows });
  },
  onCommit: () => () => {},
  clock: systemClock,
  nextId: randomIds.next,
  log: { error: (facts) => console.error(facts), warn: () => {} },
  mayAct: () => undefined,
  settings: () => splitByBrowser(settings, [subscription]),
  openChannel: (_name, channel) =>
    openChannel(channel, {
      now: Date.now,
      folder,
      commandEnv: process.env,
      push: {
        keys: async () => pushKeys,
        contact: () => 'mailto:ana@example.com',
        findSubscription: (id) => store.rows.one('push_subscriptions', { id }),
      },
    }),
  sources: () => ({
    job: (id) => ({
      description: id,
      repoSlug: null,
      workflowPath: 'w.md',
      phase: 'p',
      reason: null,
      needs: { group: 'decide', ask: 'approval', since: new Date(SINCE).toISOString() },
    }),
    schedule: () => null,
    screen: (text) => text,
    baseUrl: 'http://svc',
  }),
  listReviewers: () => [],
  describeReport: async () => '',
});
await kernel.submit({ rows: [{ op: 'put', table: 'push_subscriptions', row: subscription }] });
await notifier.start();

const toRow = (n: number): Tables['job_list'] => ({
  job_id: `j${n}`,
  parent: null,
  kind: 'job',
  status: 'waiting',
  state: 'waiting',
  ask: 'approval',
  since: SINCE,
  dismissed_at: null,
  repo: null,
  workflow: 'w.md',
  phase: 'p',
  title: `j${n}`,
  created_at: n,
  text: '',
});
for (let n = store.rows.count('job_list'); n < jobs; n += 1) {
  await kernel.submit({ rows: [{ op: 'put', table: 'job_list', row: toRow(n) }] });
  console.log(`j${n}`);
  notifier.wake();
  await pause(systemClock, GAP_MS);
}
const isOpen = () =>
  store.rows.count('notification_facts') +
    store.rows.count('notification_messages', { state: 'waiting' }) +
    store.rows.count('notification_messages', { state: 'sending' }) >
  0;
while (isOpen()) {
  notifier.wake();
  await pause(systemClock, 20);
}
await notifier.stop(1_000);
await kernel.stop(1_000);
await store.release();

import { SvcError } from '../../../src/base/errors/errors.ts';
import type { Notifications } from '../../../src/contract/runner/notifications.ts';
import type {
  NotificationChannel,
  PushBrowser,
} from '../../../src/contract/schema/runner/notifications.ts';

export const CHANNEL: NotificationChannel = {
  name: 'team',
  type: 'slack',
  state: 'ok',
  rules: 1,
  waiting: 0,
  failures: 0,
  failingSince: null,
  problem: null,
  retryAt: null,
  lastSentAt: '2026-11-30T08:00:00.000Z',
  lost: 0,
  kinds: ['needs-you'],
  browsers: [],
};

const BROWSER: PushBrowser = {
  id: '0'.repeat(32),
  label: 'Chrome on Linux',
  service: 'push.example.com',
  since: '2026-11-30T08:00:00.000Z',
  lastSentAt: null,
  problem: null,
  retryAt: null,
};

/** One channel, `team`, that takes every message. */
export const fakeNotifications: Notifications = {
  channels: () => ({ channels: [CHANNEL] }),
  async test(channel) {
    if (channel !== CHANNEL.name)
      throw new SvcError('not-found', `No channel is named ${channel}.`);
    return { channel, delivered: true, problem: null };
  },
  pushKey: async () => ({ publicKey: 'B'.repeat(87) }),
  subscribe: async () => BROWSER,
  unsubscribe: async () => {},
};

import { SvcError } from '../../../src/base/errors/errors.ts';
import type { Notifications } from '../../../src/contract/runner/notifications.ts';
import type { NotificationChannel } from '../../../src/contract/schema/runner/notifications.ts';

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
};

/** One channel, `team`, that takes every message. */
export const fakeNotifications: Notifications = {
  channels: () => ({ channels: [CHANNEL] }),
  async test(channel) {
    if (channel !== CHANNEL.name)
      throw new SvcError('not-found', `No channel is named ${channel}.`);
    return { channel, delivered: true, problem: null };
  },
};

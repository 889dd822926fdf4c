import { EmptyBody } from '../schema/api/bodies.ts';
import {
  NewPushSubscription,
  NotificationChannels,
  NotificationTest,
  PushBrowser,
  PushKey,
} from '../schema/runner/notifications.ts';
import { allowBody, requireBody, type SomeRoutes } from './route.ts';

export const notificationRoutes = {
  notificationChannels: {
    access: 'read',
    team: null,
    summary: 'The channels of notifications, and how each works.',
    reply: NotificationChannels,
    refusals: [],
  },
  testNotification: {
    access: 'write',
    team: null,
    summary:
      'Sends a test message to a channel now, whatever rules and quiet hours say, and answers whether it was taken.',
    body: allowBody(EmptyBody),
    reply: NotificationTest,
    refusals: ['not-found'],
  },
  pushKey: {
    access: 'write',
    team: null,
    summary: 'The public key of this runner for web push; makes its keys if it has none.',
    body: allowBody(EmptyBody),
    reply: PushKey,
    refusals: ['config-invalid'],
  },
  subscribePush: {
    access: 'write',
    team: null,
    summary: 'Sends the messages of a web push channel to a browser too.',
    body: requireBody(NewPushSubscription),
    reply: PushBrowser,
    status: 201,
    refusals: ['not-found', 'bad-argument', 'conflict'],
  },
  unsubscribePush: {
    access: 'write',
    team: null,
    summary: 'Sends a browser no more messages, nor those that wait for it.',
    refusals: ['not-found'],
  },
} satisfies SomeRoutes;

import { EmptyBody } from '../schema/api/bodies.ts';
import { NotificationChannels, NotificationTest } from '../schema/runner/notifications.ts';
import { allowBody, type SomeRoutes } from './route.ts';

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
} satisfies SomeRoutes;

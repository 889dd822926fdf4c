import type { notificationRoutes } from '../../../contract/routes/notificationRoutes.ts';
import type { Handlers } from '../handler.ts';

export const notificationHandlers = {
  notificationChannels: (_call, { notifications }) => notifications.channels(),
  testNotification: ({ params }, { notifications }) => notifications.test(params.channel),
  pushKey: (_call, { notifications }) => notifications.pushKey(),
  subscribePush: ({ params, body }, { notifications }) =>
    notifications.subscribe(params.channel, body),
  unsubscribePush: ({ params }, { notifications }) =>
    notifications.unsubscribe(params.channel, params.browserId),
} satisfies Handlers<typeof notificationRoutes>;

import type { notificationRoutes } from '../../../contract/routes/notificationRoutes.ts';
import type { Handlers } from '../handler.ts';

export const notificationHandlers = {
  notificationChannels: (_call, { notifications }) => notifications.channels(),
  testNotification: ({ params }, { notifications }) => notifications.test(params.channel),
} satisfies Handlers<typeof notificationRoutes>;

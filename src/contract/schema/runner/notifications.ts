import Type from 'typebox';
import { CHANNEL_TYPES } from '../../../base/settings/notificationKinds.ts';
import { describe, IsoTime, nullable } from '../kit/schemaKit.ts';

/** A channel of notifications and how it works. */
export const NotificationChannel = Type.Object({
  name: Type.String({ description: 'Its name in the configuration.' }),
  type: Type.Enum([...CHANNEL_TYPES], { description: 'What it is.' }),
  state: Type.Enum(['ok', 'failing', 'unused', 'disabled'], {
    description:
      'ok: the last message was delivered. failing: it was not. unused: nothing was sent yet. disabled: the configuration has switched it off.',
  }),
  rules: Type.Integer({ description: 'How many rules send to it. 0 = only tests reach it.' }),
  waiting: Type.Integer({ description: 'Messages that are not delivered yet.' }),
  failures: Type.Integer({ description: 'Failed attempts in a row.' }),
  failingSince: nullable(IsoTime, 'Since when they fail; null = they do not.'),
  problem: nullable(Type.String(), 'The last problem; null = none.'),
  retryAt: nullable(IsoTime, 'When it is tried again; null = with the next message.'),
  lastSentAt: nullable(IsoTime, 'When a message was last delivered; null = never.'),
  lost: describe(
    Type.Integer(),
    'Messages of the last seven days that were given up, or whose delivery is unknown.',
  ),
});
export type NotificationChannel = Type.Static<typeof NotificationChannel>;

export const NotificationChannels = Type.Object({
  channels: Type.Array(NotificationChannel, { description: 'In the order of the configuration.' }),
});
export type NotificationChannels = Type.Static<typeof NotificationChannels>;

/** What came of a test message. */
export const NotificationTest = Type.Object({
  channel: Type.String({ description: 'The channel.' }),
  delivered: Type.Boolean({ description: 'Whether the channel took the message.' }),
  problem: nullable(Type.String(), 'Why not; null = it did.'),
});
export type NotificationTest = Type.Static<typeof NotificationTest>;

import Type from 'typebox';
import { CHANNEL_TYPES, NOTIFICATION_KINDS } from '../../../base/settings/notificationKinds.ts';
import { closed, describe, IsoTime, nullable } from '../kit/schemaKit.ts';

/** A browser that gets web push. Its address at the push service is a secret, which no reply has. */
export const PushBrowser = Type.Object({
  id: Type.String({ description: 'The first 32 hex digits of the SHA-256 of its address.' }),
  label: Type.String({ description: 'What it calls itself, such as `Chrome on Android`.' }),
  service: Type.String({ description: 'Host of its push service.' }),
  since: describe(IsoTime, 'When it was turned on.'),
  lastSentAt: nullable(IsoTime, 'When its push service last took a message; null = never.'),
  problem: nullable(Type.String(), 'The last problem; null = none.'),
  retryAt: nullable(IsoTime, 'When it is tried again; null = with the next message.'),
});
export type PushBrowser = Type.Static<typeof PushBrowser>;

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
  kinds: Type.Array(Type.Enum([...NOTIFICATION_KINDS]), {
    description: 'What its rules send, together.',
  }),
  browsers: Type.Array(PushBrowser, {
    description: 'web-push: the browsers that were turned on. Empty for every other type.',
  }),
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

/** What a browser needs before it can be turned on. */
export const PushKey = Type.Object({
  publicKey: Type.String({
    description: 'Public key of this runner for push services (VAPID): base64url of 65 bytes.',
  }),
});
export type PushKey = Type.Static<typeof PushKey>;

/** A subscription as `PushSubscription.toJSON()` of a browser gives it, and what the browser calls itself. */
export const NewPushSubscription = Type.Object(
  {
    endpoint: Type.String({
      minLength: 1,
      maxLength: 2_048,
      description: 'Address at its push service.',
    }),
    keys: Type.Object(
      {
        p256dh: Type.String({
          pattern: '^[A-Za-z0-9_-]{87}=?$',
          description: 'Its public key: base64url of 65 bytes.',
        }),
        auth: Type.String({
          pattern: '^[A-Za-z0-9_-]{22}(==)?$',
          description: 'Base64url of 16 bytes.',
        }),
      },
      closed,
    ),
    label: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'What the browser calls itself, as lists show it.',
    }),
    replaces: Type.Optional(
      Type.String({
        pattern: '^[0-9a-f]{32}$',
        description:
          'Id of the same browser under its address before: what waits for it is sent to the new one.',
      }),
    ),
  },
  closed,
);
export type NewPushSubscription = Type.Static<typeof NewPushSubscription>;

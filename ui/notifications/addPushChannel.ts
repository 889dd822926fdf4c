import type { Client } from '../../src/api/client/client.ts';
import { DEFAULT_NOTIFICATION_KINDS } from '../../src/base/settings/notificationKinds.ts';

const NAMES = ['browsers', 'web-push', 'push'] as const;

/** Adds a web push channel with a rule for everything but reports to the configuration. Resolves with its name. */
export async function addPushChannel(client: Client): Promise<string> {
  const { reply, etag } = await client.config();
  const { channels, rules } = Object(reply.config.notifications) as {
    channels?: Record<string, unknown>;
    rules?: unknown[];
  };
  const name = NAMES.find((one) => !Object.hasOwn(channels ?? {}, one)) ?? NAMES[0];
  await client.updateConfig(
    {
      notifications: {
        channels: { [name]: { type: 'web-push' } },
        rules: [...(rules ?? []), { channel: name, kinds: [...DEFAULT_NOTIFICATION_KINDS] }],
      },
    },
    etag,
  );
  return name;
}

import type { Client } from '../../src/api/client/client.ts';
import { DEFAULT_NOTIFICATION_KINDS } from '../../src/base/settings/notificationKinds.ts';

const NAMES = ['browsers', 'web-push', 'push'] as const;

interface NotificationConfig {
  channels: Readonly<Record<string, unknown>>;
  rules: readonly unknown[];
  etag: string | undefined;
}

async function readConfigured(client: Client): Promise<NotificationConfig> {
  const { reply, etag } = await client.config();
  const { channels = {}, rules = [] } = Object(
    reply.config.notifications,
  ) as Partial<NotificationConfig>;
  return { channels, rules, etag };
}

/** By which a channel gets everything but reports. */
const createRule = (channel: string) => ({ channel, kinds: [...DEFAULT_NOTIFICATION_KINDS] });

/** Adds a web push channel with a rule to the configuration. Resolves with its name. */
export async function addPushChannel(client: Client): Promise<string> {
  const { channels, rules, etag } = await readConfigured(client);
  const name = NAMES.find((one) => !Object.hasOwn(channels, one)) ?? NAMES[0];
  const addition = {
    channels: { [name]: { type: 'web-push' } },
    rules: [...rules, createRule(name)],
  };
  await client.updateConfig({ notifications: addition }, etag);
  return name;
}

/** Adds a rule for a channel to the configuration. */
export async function addRule(client: Client, channel: string): Promise<void> {
  const { rules, etag } = await readConfigured(client);
  const patch = { notifications: { rules: [...rules, createRule(channel)] } };
  await client.updateConfig(patch, etag);
}

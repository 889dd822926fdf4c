import type { ChannelSettings } from '../../contract/schema/runner/notificationSettings.ts';
import type { Channel } from './channel.ts';
import { createCommandChannel } from './commandChannel.ts';
import { createDiscordChannel } from './discordChannel.ts';
import { createEmailChannel } from './emailChannel.ts';
import { createNtfyChannel, NTFY_SERVER } from './ntfyChannel.ts';
import { createSlackApiChannel, SLACK_API } from './slackApiChannel.ts';
import { createSlackChannel } from './slackChannel.ts';
import { createTeamsChannel } from './teamsChannel.ts';
import { createWebhookChannel } from './webhookChannel.ts';
import { createWebPushChannel, type WebPushOptions } from './webPushChannel.ts';

export interface ChannelWorld {
  /** Epoch ms. */
  now(): number;
  /** What commands get of the runner's environment. */
  commandEnv: NodeJS.ProcessEnv;
  /** Where commands start. */
  folder: string;
  /** The browsers of web push. */
  push: Pick<WebPushOptions, 'keys'> & {
    findSubscription(id: string): ReturnType<WebPushOptions['subscription']>;
    /** How push services reach who runs this, where the channel does not say it. */
    contact(): string;
  };
}

/** A channel by its settings, which were checked. Opens no connection. */
export function openChannel(settings: ChannelSettings, world: ChannelWorld): Channel {
  const { now, commandEnv: env, folder, push } = world;
  const { url = '', secret = '', command = [], topic = '', token = '' } = settings;
  switch (settings.type) {
    case 'command':
      return createCommandChannel({ command, env, folder });
    case 'webhook':
      return createWebhookChannel({ url, secret, now });
    case 'slack':
      return token === ''
        ? createSlackChannel(url, now)
        : createSlackApiChannel({
            api: (url || SLACK_API).replace(/\/+$/, ''),
            token,
            slackChannel: settings.slackChannel ?? '',
            now,
          });
    case 'teams':
      return createTeamsChannel(url, now);
    case 'discord':
      return createDiscordChannel(url, now);
    case 'ntfy':
      return createNtfyChannel({ server: url || NTFY_SERVER, topic, token, now });
    case 'email':
      return createEmailChannel(settings);
    case 'web-push':
      return createWebPushChannel({
        subscription: () => push.findSubscription(settings.browser ?? ''),
        keys: push.keys,
        contact: settings.contact ?? push.contact(),
        allowHosts: settings.allowHosts ?? [],
        now,
      });
  }
}

import type { ChannelType } from '../../../base/settings/notificationKinds.ts';
import type { Config } from '../configSchema.ts';

type Report = (path: (string | number)[], message: string) => void;
type Channel = Config['notifications']['channels'][string];

/** What a channel of each type cannot do without. */
const NEEDED: Readonly<Record<ChannelType, readonly (keyof Channel)[]>> = {
  command: ['command'],
  webhook: ['url', 'secret'],
  slack: ['url'],
  teams: ['url'],
  discord: ['url'],
  ntfy: ['topic'],
  email: ['host', 'from', 'to'],
  'web-push': [],
};

const WEBHOOK_SECRET = /^whsec_[A-Za-z0-9+/]+={0,2}$/;
/** Bytes of a key, as Standard Webhooks asks for. */
const LEAST_KEY_BYTES = 24;
const MOST_KEY_BYTES = 64;

/** Mistakes of `notifications` that no schema sees: missing keys, unknown channels and time zones. */
export function reportNotificationMistakes(
  { notifications: { channels, rules, report: times } }: Pick<Config, 'notifications'>,
  report: Report,
): void {
  for (const [name, channel] of Object.entries(channels)) reportChannel(name, channel, report);
  for (const [index, { channel, quietHours }] of rules.entries()) {
    const at = ['notifications', 'rules', index];
    if (!Object.hasOwn(channels, channel))
      report(
        [...at, 'channel'],
        `notifications.rules[${index}].channel is "${channel}", but notifications.channels has no such channel. Add it, or name one of ${Object.keys(channels).join(', ') || 'those that you add'}.`,
      );
    if (quietHours === undefined) continue;
    if (quietHours.from === quietHours.to)
      report(
        [...at, 'quietHours', 'to'],
        `notifications.rules[${index}].quietHours begins and ends at ${quietHours.to}. Give two times, or remove quietHours.`,
      );
    reportZone([...at, 'quietHours', 'zone'], quietHours.zone, report);
  }
  reportZone(['notifications', 'report', 'zone'], times.zone, report);
}

function reportChannel(name: string, channel: Channel, report: Report): void {
  const at = ['notifications', 'channels', name];
  for (const key of listNeededKeys(channel))
    if (channel[key] === undefined || channel[key] === '')
      report(
        at,
        `notifications.channels.${name} is missing the key "${key}", which a channel of type "${channel.type}" needs. Add it.`,
      );
  if (channel.type === 'webhook' && channel.secret && !isWebhookSecret(channel.secret))
    report(
      [...at, 'secret'],
      `notifications.channels.${name}.secret must be whsec_ followed by ${LEAST_KEY_BYTES} to ${MOST_KEY_BYTES} bytes as base64. Make one with: echo "whsec_$(openssl rand -base64 32)"`,
    );
}

/** A bot of Slack posts to a channel; without its token an incoming webhook does. */
const listNeededKeys = ({ type, token }: Channel): readonly (keyof Channel)[] =>
  type === 'slack' && token !== undefined ? ['slackChannel'] : NEEDED[type];

function isWebhookSecret(secret: string): boolean {
  if (!WEBHOOK_SECRET.test(secret)) return false;
  const { length } = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return length >= LEAST_KEY_BYTES && length <= MOST_KEY_BYTES;
}

function reportZone(path: (string | number)[], zone: string | undefined, report: Report): void {
  if (zone === undefined || isTimeZone(zone)) return;
  report(
    path,
    `${path
      .map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`))
      .join('')
      .slice(1)} is "${zone}", which is no time zone. Write one such as Europe/Berlin or UTC.`,
  );
}

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

import type { NotificationKind } from '../../base/settings/notificationKinds.ts';
import { cutToBytes } from '../../base/text/cutToBytes.ts';
import type { NotificationMessage } from '../message/notificationMessage.ts';
import { renderBelowTitle } from '../message/renderPlainText.ts';
import type { Channel } from './channel.ts';
import { postJson } from './postMessage.ts';

export const NTFY_SERVER = 'https://ntfy.sh';
/** Longer messages become an attachment, bytes; some are left for a mark. */
const MOST_BYTES = 4_000;

/** Names of emoji. */
const TAGS: Readonly<Record<NotificationKind, string>> = {
  'needs-you': 'raised_hand',
  broken: 'rotating_light',
  budget: 'moneybag',
  account: 'key',
  runner: 'warning',
  report: 'bar_chart',
};
const HIGH = 4;
const DEFAULT = 3;

interface NtfyOptions {
  server: string;
  topic: string;
  /** Empty = none. */
  token: string;
  now(): number;
}

/** A message as ntfy takes it as JSON. */
export function renderNtfyMessage(
  message: NotificationMessage,
  topic: string,
): Record<string, unknown> {
  const kinds = [...new Set(message.items.map(({ kind }) => kind))];
  return {
    topic,
    title: message.title,
    message: cutToBytes(renderBelowTitle(message), MOST_BYTES),
    priority: kinds.every((kind) => kind === 'report') ? DEFAULT : HIGH,
    tags: kinds.map((kind) => TAGS[kind]),
    click: message.url,
  };
}

export const createNtfyChannel = ({ server, topic, token, now }: NtfyOptions): Channel => ({
  repeats: false,
  send: (message, signal) =>
    postJson({
      url: server,
      value: renderNtfyMessage(message, topic),
      headers: token === '' ? {} : { authorization: `Bearer ${token}` },
      signal,
      now,
    }),
});

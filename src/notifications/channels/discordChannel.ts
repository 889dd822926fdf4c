import type { NotificationKind } from '../../base/settings/notificationKinds.ts';
import { shorten } from '../../base/text/clip.ts';
import { describeExit } from '../message/describeExit.ts';
import { describeItemPlace } from '../message/describeItemPlace.ts';
import { listDetailLines } from '../message/listDetailLines.ts';
import { describeItem } from '../message/describeFact.ts';
import type { NotificationItem, NotificationMessage } from '../message/notificationMessage.ts';
import { describeRest, MOST_SHOWN_ITEMS } from '../message/renderPlainText.ts';
import type { Channel } from './channel.ts';
import { postJson } from './postMessage.ts';

/** Limits of Discord, in characters: of all embeds together, of a title and of the content. */
const MOST_TITLE_CHARS = 256;
const MOST_CONTENT_CHARS = 2_000;
const MOST_EMBEDS_CHARS = 6_000;

const COLORS: Readonly<Record<NotificationKind, number>> = {
  'needs-you': 0x2563eb,
  broken: 0xdc2626,
  budget: 0xd97706,
  account: 0xd97706,
  runner: 0xd97706,
  report: 0x6b7280,
};

const escapeMarkdown = (text: string): string => text.replace(/[\\*_~`|>[\]()#-]/g, '\\$&');

function toEmbed(item: NotificationItem, mostChars: number): Record<string, unknown> {
  const title = shorten(describeItem(item), Math.min(MOST_TITLE_CHARS, mostChars / 2));
  const footer = shorten(describeItemPlace(item), 200);
  const lines = [item.why, describeExit(item), ...listDetailLines(item)].map(escapeMarkdown);
  const description = shorten(
    lines.filter(Boolean).join('\n'),
    Math.max(1, mostChars - title.length - footer.length),
  );
  return {
    title,
    url: item.url,
    description,
    color: COLORS[item.kind],
    timestamp: item.since,
    ...(footer === '' ? {} : { footer: { text: footer } }),
  };
}

/** A message as a webhook of Discord takes it. Nothing in it mentions anyone. */
export function renderDiscordMessage(message: NotificationMessage): Record<string, unknown> {
  const firstItems = message.items.slice(0, MOST_SHOWN_ITEMS);
  const rest = describeRest(message);
  const content = [escapeMarkdown(message.title), ...(rest === null ? [] : [rest])].join('\n');
  return {
    username: 'svc',
    content: shorten(content, MOST_CONTENT_CHARS),
    allowed_mentions: { parse: [] },
    embeds: firstItems.map((item) =>
      toEmbed(item, Math.floor(MOST_EMBEDS_CHARS / firstItems.length)),
    ),
  };
}

export const createDiscordChannel = (url: string, now: () => number): Channel => ({
  repeats: false,
  send: (message, signal) =>
    postJson({ url, value: renderDiscordMessage(message), headers: {}, signal, now }),
});

import { formatUtcMinute } from '../../base/time/toIsoTime.ts';
import { describeExit } from '../message/describeExit.ts';
import { describeItemPlace } from '../message/describeItemPlace.ts';
import { listDetailLines } from '../message/listDetailLines.ts';
import type { NotificationItem, NotificationMessage } from '../message/notificationMessage.ts';
import { describeRest, MOST_SHOWN_ITEMS } from '../message/renderPlainText.ts';
import type { Channel } from './channel.ts';
import { postJson } from './postMessage.ts';

/** Teams refuses messages above 28 KB; some of it is its own. */
const MOST_BYTES = 24_000;

/** Texts of cards are Markdown. */
const escapeMarkdown = (text: string): string => text.replace(/[\\*_`[\]()#-]/g, '\\$&');

const toTextBlock = (text: string, more: Record<string, unknown> = {}) => ({
  type: 'TextBlock',
  text,
  wrap: true,
  ...more,
});

const pickColor = ({ kind }: NotificationItem): string =>
  kind === 'broken' ? 'attention' : 'default';

/** `isOnly`: the title of the card already says what it is. */
function toContainer(item: NotificationItem, isOnly: boolean): Record<string, unknown> {
  const place = [
    describeItemPlace(item),
    `since ${formatUtcMinute(item.since)}`,
    describeExit(item),
  ].filter(Boolean);
  return {
    type: 'Container',
    separator: true,
    selectAction: { type: 'Action.OpenUrl', url: item.url },
    items: [
      ...(isOnly
        ? []
        : [toTextBlock(escapeMarkdown(item.label), { weight: 'bolder', color: pickColor(item) })]),
      ...(item.title === item.label
        ? []
        : [toTextBlock(`[${escapeMarkdown(item.title)}](${item.url})`)]),
      ...(item.why === '' ? [] : [toTextBlock(escapeMarkdown(item.why))]),
      ...listDetailLines(item).map((line) =>
        toTextBlock(escapeMarkdown(line), { fontType: 'monospace', size: 'small' }),
      ),
      toTextBlock(escapeMarkdown(place.join(' · ')), { isSubtle: true, size: 'small' }),
    ],
  };
}

function renderCard(message: NotificationMessage, itemCount: number): Record<string, unknown> {
  const rest = message.items.length > itemCount ? describeRest(message) : null;
  const [only, ...others] = message.items;
  const isOnly = others.length === 0;
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      toTextBlock(escapeMarkdown(message.title), {
        size: 'large',
        weight: 'bolder',
        ...(isOnly && only !== undefined ? { color: pickColor(only) } : {}),
      }),
      ...message.items.slice(0, itemCount).map((item) => toContainer(item, isOnly)),
      ...(rest === null ? [] : [toTextBlock(rest)]),
    ],
    actions: [{ type: 'Action.OpenUrl', title: 'Open in svc', url: message.url }],
    msteams: { width: 'Full' },
  };
  return {
    type: 'message',
    attachments: [
      { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content },
    ],
  };
}

/** A message as a workflow of Teams takes it: an adaptive card, with as many items as fit. */
export function renderTeamsMessage(message: NotificationMessage): Record<string, unknown> {
  for (let itemCount = MOST_SHOWN_ITEMS; itemCount > 1; itemCount -= 1) {
    const card = renderCard(message, itemCount);
    if (Buffer.byteLength(JSON.stringify(card)) <= MOST_BYTES) return card;
  }
  return renderCard(message, 1);
}

export const createTeamsChannel = (url: string, now: () => number): Channel => ({
  repeats: false,
  send: (message, signal) =>
    postJson({ url, value: renderTeamsMessage(message), headers: {}, signal, now }),
});

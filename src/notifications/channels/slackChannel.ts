import { formatUtcMinute } from '../../base/time/toIsoTime.ts';
import { shorten } from '../../base/text/clip.ts';
import { describeExit } from '../message/describeExit.ts';
import { describeItemPlace } from '../message/describeItemPlace.ts';
import { listDetailLines } from '../message/listDetailLines.ts';
import type { NotificationItem, NotificationMessage } from '../message/notificationMessage.ts';
import { describeRest, MOST_SHOWN_ITEMS } from '../message/renderPlainText.ts';
import type { Channel } from './channel.ts';
import { postJson } from './postMessage.ts';

/** Limits of Block Kit, in characters. */
const MOST_HEADER_CHARS = 150;
const MOST_SECTION_CHARS = 3_000;

/** Only these three characters have a meaning that a text could abuse, such as `<!channel>`. */
const escapeSlack = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** A code block ends at three back quotes, which a line of output may contain. */
const toCodeBlock = (lines: readonly string[]): string =>
  lines.length === 0 ? '' : `\n\`\`\`${escapeSlack(lines.join('\n')).replace(/```/g, "'''")}\`\`\``;

/** `isOnly`: the header already says what it is. */
function toItemBlocks(item: NotificationItem, isOnly: boolean): unknown[] {
  if (item.resolved)
    return [
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          text: `~${escapeSlack(item.title).replaceAll('~', '∼')}~ <${item.url}|Settled>`,
        },
      },
    ];
  const head = isOnly || item.title === item.label ? '' : `*${escapeSlack(item.label)}*\n`;
  const text = `${head}<${item.url}|${escapeSlack(item.title)}>${item.why === '' ? '' : `\n${escapeSlack(item.why)}`}`;
  const output = toCodeBlock(listDetailLines(item));
  const place = [
    describeItemPlace(item),
    `since ${formatUtcMinute(item.since)}`,
    describeExit(item),
  ].filter(Boolean);
  return [
    {
      type: 'section',
      text: {
        type: 'mrkdwn',
        text: text.length + output.length <= MOST_SECTION_CHARS ? text + output : text,
      },
    },
    { type: 'context', elements: [{ type: 'plain_text', text: place.join(' · ') }] },
  ];
}

/** A message as an incoming webhook of Slack takes it: blocks, and a text for the notification. */
export function renderSlackMessage(message: NotificationMessage): Record<string, unknown> {
  const rest = describeRest(message);
  const isSettled = message.items.every(({ resolved }) => resolved);
  const title = isSettled ? `Settled: ${message.title}` : message.title;
  return {
    text: escapeSlack(title),
    blocks: [
      {
        type: 'header',
        text: { type: 'plain_text', text: shorten(title, MOST_HEADER_CHARS) },
      },
      ...message.items
        .slice(0, MOST_SHOWN_ITEMS)
        .flatMap((item) => toItemBlocks(item, message.items.length === 1)),
      ...(rest === null
        ? []
        : [{ type: 'section', text: { type: 'mrkdwn', text: escapeSlack(rest) } }]),
    ],
  };
}

export const createSlackChannel = (url: string, now: () => number): Channel => ({
  repeats: false,
  send: (message, signal) =>
    postJson({ url, value: renderSlackMessage(message), headers: {}, signal, now }),
});

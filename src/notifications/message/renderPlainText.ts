import { formatUtcMinute } from '../../base/time/toIsoTime.ts';
import { describeExit } from './describeExit.ts';
import { describeItem } from './describeFact.ts';
import { describeItemPlace } from './describeItemPlace.ts';
import { listDetailLines } from './listDetailLines.ts';
import type { NotificationItem, NotificationMessage } from './notificationMessage.ts';

/** Items that a message for people names one by one; the others are counted. */
export const MOST_SHOWN_ITEMS = 10;

/** How many items a message has beyond those that are shown, as a line; null = none. */
export function describeRest({ items, url }: NotificationMessage): string | null {
  const rest = items.length - MOST_SHOWN_ITEMS;
  return rest > 0 ? `and ${rest} more: ${url}` : null;
}

/** One item as lines of plain text. */
export function renderItemLines(item: NotificationItem): string[] {
  const place = describeItemPlace(item);
  const failure = describeExit(item);
  return [
    describeItem(item),
    ...(place === '' ? [] : [place]),
    ...(item.why === '' ? [] : [item.why]),
    `Since ${formatUtcMinute(item.since)}`,
    ...(failure === '' ? [] : [failure]),
    ...listDetailLines(item).map((line) => `> ${line}`),
    item.url,
  ];
}

/** A message as plain text below its title, which already says what its only item is. */
export function renderBelowTitle(message: NotificationMessage): string {
  const [first] = message.items;
  return message.items.length === 1 && first !== undefined
    ? renderItemLines(first).slice(1).join('\n')
    : renderPlainText(message);
}

/** A message as plain text. */
export function renderPlainText(message: NotificationMessage): string {
  const items = message.items
    .slice(0, MOST_SHOWN_ITEMS)
    .map((item) => renderItemLines(item).join('\n'));
  const rest = describeRest(message);
  return [...items, ...(rest === null ? [] : [rest])].join('\n\n');
}

import { cutToBytes } from '../../base/text/cutToBytes.ts';
import type { PushMessage } from '../../contract/schema/runner/pushMessage.ts';
import type { NotificationMessage } from './notificationMessage.ts';

/** Titles that a message about several items names. */
const MOST_TITLES = 4;
/** Most bytes of each text: with them a message stays below the 3,993 bytes that RFC 8291, section 4, leaves. */
const MOST_TITLE_BYTES = 400;
const MOST_BODY_BYTES = 1_600;

/** One item has the tag of its job, so that a job has one message on a screen; several are one message. */
export function toPushTag({ items }: NotificationMessage): string {
  const [first] = items;
  if (items.length !== 1 || first === undefined) return 'inbox';
  return first.job === null ? first.id : `job/${first.job.id}`;
}

const toHash = (url: string): string => (URL.canParse(url) ? new URL(url).hash : '');

/** A message as web push carries it. Where everything in it is settled, it says that. */
export function renderPushMessage(message: NotificationMessage, tag: string): PushMessage {
  const isSettled = message.items.every(({ resolved }) => resolved);
  const title = isSettled ? `Settled: ${message.title}` : message.title;
  return {
    title: cutToBytes(title, MOST_TITLE_BYTES),
    body: cutToBytes(renderBody(message), MOST_BODY_BYTES),
    tag: cutToBytes(tag, MOST_TITLE_BYTES),
    hash: toHash(message.url).slice(0, MOST_TITLE_BYTES),
    at: Date.parse(message.at),
    silent: isSettled,
  };
}

function renderBody({ items }: NotificationMessage): string {
  const [first] = items;
  if (items.length === 1 && first !== undefined)
    return [
      first.title,
      (first.job ?? first.schedule)?.repository ?? '',
      first.why,
      first.job?.firstError?.text ?? '',
    ]
      .filter(Boolean)
      .join('\n');
  const rest = items.length - MOST_TITLES;
  return [
    ...items.slice(0, MOST_TITLES).map(({ label, title }) => `${label}: ${title}`),
    ...(rest > 0 ? [`and ${rest} more`] : []),
  ].join('\n');
}

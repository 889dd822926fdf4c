import type { ReceivedDelivery } from '../../contract/forge/hook.ts';
import type { WebhookManifest } from '../../contract/schema/runner/plugin.ts';
import { readDeliveryHeader } from './readDeliveryHeader.ts';

/**
 * Largest difference between the time of a delivery, where the manifest names one, and ours, ms.
 */
export const TOLERANCE_MS = 5 * 60_000;

/** Most pairs of one header that are read. */
const MAX_PAIRS = 20;

/** Headers of Standard Webhooks, unless the manifest names others. */
const STANDARD = { id: 'webhook-id', timestamp: 'webhook-timestamp' } as const;
const STANDARD_TEMPLATE = '{id}.{timestamp}.{body}';
const BODY = '{body}';

const PLACEHOLDER = /\{(id|timestamp|body)\}/g;
/** In a template, what follows a placeholder ends its value, so that one text has one reading. */
const SEPARATOR = /^[.:|;,/]/;

export const isFreshTimestamp = (sentAt: number, receivedAt: number): boolean =>
  Number.isFinite(sentAt) && Math.abs(receivedAt - sentAt) <= TOLERANCE_MS;

/** The text that is signed, as a template. */
const readTemplate = ({ format, signed }: WebhookManifest): string =>
  format === 'standard' ? STANDARD_TEMPLATE : (signed ?? BODY);

/** Header with the id of a delivery; null = the sender gives none. */
export const findIdHeader = ({ format, idHeader }: WebhookManifest): string | null =>
  idHeader ?? (format === 'standard' ? STANDARD.id : null);

/** Whether the signature covers the id of a delivery, so that no one else can choose another. */
export const isIdSigned = (webhook: WebhookManifest): boolean =>
  readTemplate(webhook).includes('{id}');

/** Whether the signature covers a time, from which a delivery counts as current. */
export const isTimeSigned = (webhook: WebhookManifest): boolean =>
  readTemplate(webhook).includes('{timestamp}');

/** The values of the pairs with this name, in a header such as `t=1,v1=ab,v1=cd`. */
export const readPairs = (header: string, name: string): string[] =>
  header
    .split(',')
    .slice(0, MAX_PAIRS)
    .map((pair) => pair.trim())
    .flatMap((pair) => (pair.startsWith(`${name}=`) ? [pair.slice(name.length + 1)] : []));

function readTimestamp(webhook: WebhookManifest, delivery: ReceivedDelivery): string | null {
  const { pairs, timestampHeader, format } = webhook;
  if (pairs?.timestamp !== undefined) {
    const pairList = readPairs(readDeliveryHeader(delivery, webhook.header) ?? '', pairs.timestamp);
    return pairList.length === 1 ? (pairList[0] ?? null) : null;
  }
  const name = timestampHeader ?? (format === 'standard' ? STANDARD.timestamp : null);
  return name === null ? null : readDeliveryHeader(delivery, name);
}

/**
 * What comes before the body in the text that is signed. null = a part of it is missing or could be
 * read in another way, or its time is too far from ours.
 */
export function formatSignedPrefix(
  webhook: WebhookManifest,
  delivery: ReceivedDelivery,
): string | null {
  const prefix = readTemplate(webhook).slice(0, -BODY.length);
  const values: Record<string, string> = {};
  if (isTimeSigned(webhook)) {
    const timestamp = readTimestamp(webhook, delivery);
    if (timestamp === null || !/^\d{1,12}$/.test(timestamp)) return null;
    if (!isFreshTimestamp(Number(timestamp) * 1000, delivery.receivedAt)) return null;
    values.timestamp = timestamp;
  }
  if (isIdSigned(webhook)) {
    const id = readDeliveryHeader(delivery, findIdHeader(webhook) ?? '');
    const separator = prefix[prefix.indexOf('{id}') + '{id}'.length] ?? '';
    if (id === null || id.includes(separator)) return null;
    values.id = id;
  }
  // The values are put in once and never searched again.
  return prefix.replace(PLACEHOLDER, (_, name: string) => values[name] ?? '');
}

/** What is wrong with the members of a manifest taken together; null = nothing. */
export function explainWebhookFault(webhook: WebhookManifest): string | null {
  const { format, signed, pairs, timestampHeader, challenge } = webhook;
  const isFixed = format === 'standard' || format === 'token';
  if (isFixed && (signed !== undefined || pairs !== undefined))
    return `signed and pairs are not for the format ${format}`;
  if (challenge !== undefined && format === 'token')
    return 'challenge is not for the format token, which does not sign the body';
  if (challenge !== undefined && challenge.member === challenge.reply)
    return 'challenge needs two members: the one that tells a challenge from an event, and the one that is sent back';
  const template = readTemplate(webhook);
  const placeholders = [...template.matchAll(PLACEHOLDER)].map(([, name]) => name);
  if (!template.endsWith(BODY) || new Set(placeholders).size !== placeholders.length)
    return 'signed must end with {body}, and name each of {id}, {timestamp} and {body} at most once';
  if (/[{}]/.test(template.replace(PLACEHOLDER, '')))
    return 'signed has other braces than those of {id}, {timestamp} and {body}';
  const rests = [...template.matchAll(/\{(?:id|timestamp)\}/g)].map(({ 0: name, index }) =>
    template.slice(index + name.length),
  );
  if (rests.some((rest) => !SEPARATOR.test(rest)))
    return 'in signed, one of . : | ; , / must follow {id} and {timestamp}';
  if (isIdSigned(webhook) && findIdHeader(webhook) === null) return 'signed has {id}: set idHeader';
  const isTimed = isTimeSigned(webhook);
  if (isTimed && format !== 'standard' && !pairs?.timestamp && timestampHeader === undefined)
    return 'signed has {timestamp}: set timestampHeader or pairs.timestamp';
  if (!isTimed && pairs?.timestamp !== undefined)
    return 'pairs.timestamp is not signed: put {timestamp} into signed';
  return null;
}

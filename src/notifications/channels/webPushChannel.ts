import { createHash } from 'node:crypto';
import { lookup } from 'node:dns';
import { SvcError, toErrorMessage } from '../../base/errors/errors.ts';
import { sendGuarded } from '../../base/system/network/sendGuarded.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type { NotificationMessage } from '../message/notificationMessage.ts';
import { renderPushMessage, toPushTag } from '../message/renderPushMessage.ts';
import { isAllowedHost } from '../push/checkSubscription.ts';
import type { PushKeys } from '../push/pushKeys.ts';
import type { Channel, SendOutcome } from './channel.ts';
import { classifyAnswer, classifyFailure, POST_TIMEOUT_MS } from './postMessage.ts';

/** How long a push service keeps a message for a browser that is off, seconds: three days. */
const KEEP_S = 259_200;
/** Longest name of a topic (RFC 8030, section 5.4). */
const MOST_TOPIC_CHARS = 32;
/** Answers of a push service that has the subscription no more. */
const GONE = new Set([404, 410]);

export interface WebPushOptions {
  /** The browser; undefined = it was removed meanwhile. */
  subscription(): Tables['push_subscriptions'] | undefined;
  keys(): Promise<PushKeys>;
  /** How push services reach who runs this (RFC 8292, section 2.1). */
  contact: string;
  allowHosts: readonly string[];
  /** Epoch ms. */
  now(): number;
}

/** Messages to one browser, encrypted for it (RFC 8291). Its push service sees neither text nor link. */
export function createWebPushChannel(options: WebPushOptions): Channel {
  const push = (message: NotificationMessage, tag: string, signal: AbortSignal) =>
    sendPush(options, JSON.stringify(renderPushMessage(message, tag)), tag, signal);
  return {
    repeats: false,
    async send(message, signal) {
      const tag = toPushTag(message);
      const outcome = await push(message, tag, signal);
      return outcome.is === 'delivered' ? { is: 'delivered', handle: tag } : outcome;
    },
    async update(message, tag, signal) {
      // Several items are one message, which stays true until the last of them is settled.
      if (message.items.some(({ resolved }) => !resolved)) return { is: 'delivered' };
      return push(message, tag, signal);
    },
  };
}

/** The same for the same tag: a push service that still has an older message replaces it. */
const toTopic = (tag: string): string =>
  createHash('sha256').update(tag).digest('base64url').slice(0, MOST_TOPIC_CHARS);

async function sendPush(
  options: WebPushOptions,
  payload: string,
  tag: string,
  signal: AbortSignal,
): Promise<SendOutcome> {
  const receiver = options.subscription();
  if (receiver === undefined) return { is: 'gone', problem: 'is turned off in this browser' };
  const { endpoint } = receiver;
  const timeout = AbortSignal.timeout(POST_TIMEOUT_MS);
  let hasBegun = false;
  try {
    const sending = await encryptPush(options, receiver, payload, tag);
    hasBegun = true;
    const { status, text, retryAfter } = await sendGuarded(
      new URL(endpoint),
      { ...sending, method: 'POST', signal: AbortSignal.any([signal, timeout]) },
      {
        isAllowed: (host) => isAllowedHost(host, options.allowHosts),
        createRefusal,
        resolver: lookup,
      },
    );
    if (GONE.has(status)) return { is: 'gone', problem: `answered ${status}` };
    const answer = { status, text: text.replaceAll(endpoint, ''), retryAfter: retryAfter ?? null };
    return classifyAnswer(answer, options.now());
  } catch (error) {
    if (timeout.aborted) return { is: 'uncertain', problem: 'did not answer in time' };
    const refusal = [error, Object(error).cause].find((one) => one instanceof SvcError);
    if (!hasBegun || refusal !== undefined)
      return {
        is: 'refused',
        problem: toErrorMessage(refusal ?? error),
        final: false,
        retryAfterMs: null,
      };
    return classifyFailure(error);
  }
}

async function encryptPush(
  { keys, contact }: WebPushOptions,
  { endpoint, p256dh, auth }: Tables['push_subscriptions'],
  payload: string,
  tag: string,
): Promise<{ headers: Record<string, string>; body: Buffer }> {
  const vapidDetails = { subject: contact, ...(await keys()) };
  // A runner without web push does not load it.
  const { default: webPush } = await import('web-push');
  const { headers, body } = webPush.generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    payload,
    { vapidDetails, TTL: KEEP_S, urgency: 'high', topic: toTopic(tag) },
  );
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return { headers: Object.fromEntries(texts), body: body ?? Buffer.alloc(0) };
}

const createRefusal = (host: string): SvcError =>
  new SvcError(
    'forbidden',
    `is not sent to ${host}, an address of this machine or its network: allowHosts of the channel does not name it`,
  );

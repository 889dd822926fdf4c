import { parseJsonOrNull } from '../../base/json/parseJsonOrNull.ts';
import type { NotificationMessage } from '../message/notificationMessage.ts';
import type { Channel, SendOutcome } from './channel.ts';
import { postJson } from './postMessage.ts';
import { renderSlackMessage } from './slackChannel.ts';

export const SLACK_API = 'https://slack.com/api';

/** Errors that are about one message, so that another attempt would end the same. */
const FINAL_ERRORS = new Set([
  'invalid_blocks',
  'invalid_blocks_format',
  'msg_too_long',
  'no_text',
  'message_not_found',
  'cant_update_message',
  'edit_window_closed',
]);
/** Errors of Slack itself, after which a message may have been posted. */
const UNCERTAIN_ERRORS = new Set(['fatal_error', 'internal_error', 'request_timeout']);

interface SlackApiOptions {
  /** Address of the API, without a slash at its end. */
  api: string;
  /** `xoxb-…`. */
  token: string;
  /** Id of the channel. */
  slackChannel: string;
  now(): number;
}

/** What the API says: it answers 200 to errors too. */
function readSlackAnswer(text: string): SendOutcome {
  const { ok, ts, channel, error } = Object(parseJsonOrNull(text)) as Record<string, unknown>;
  if (ok === true && typeof ts === 'string' && typeof channel === 'string')
    return { is: 'delivered', handle: JSON.stringify({ channel, ts }) };
  const problem = `answered ${typeof error === 'string' ? error : 'something that is not of Slack'}`;
  if (typeof error !== 'string' || UNCERTAIN_ERRORS.has(error)) return { is: 'uncertain', problem };
  return { is: 'refused', problem, final: FINAL_ERRORS.has(error), retryAfterMs: null };
}

/** Messages by a bot, which it changes when what they ask for is settled elsewhere. */
export function createSlackApiChannel(options: SlackApiOptions): Channel {
  const { api, token, slackChannel, now } = options;
  const call = (method: string, place: object, message: NotificationMessage, signal: AbortSignal) =>
    postJson({
      url: `${api}/${method}`,
      value: { ...renderSlackMessage(message), ...place },
      headers: { authorization: `Bearer ${token}` },
      signal,
      now,
      readOutcome: readSlackAnswer,
    });
  return {
    repeats: false,
    send: (message, signal) =>
      call('chat.postMessage', { channel: slackChannel, unfurl_links: false }, message, signal),
    update: (message, handle, signal) =>
      call('chat.update', Object(parseJsonOrNull(handle)), message, signal),
  };
}

import type { NotificationMessage } from '../message/notificationMessage.ts';

/**
 * How an attempt ended. `refused`: the message was surely not delivered; `final`: because of what is in
 * it, so that another attempt would end the same. `uncertain`: it may have been delivered. `problem`
 * follows the name of the channel, without secrets. `gone`: its receiver does not exist any more, and
 * never will. `handle`: by what `update` finds the message again.
 */
export type SendOutcome =
  | { is: 'delivered'; handle?: string }
  | { is: 'gone'; problem: string }
  | { is: 'refused'; problem: string; final: boolean; retryAfterMs: number | null }
  | { is: 'uncertain'; problem: string };

export interface Channel {
  /**
   * Whether a message is sent again after an attempt whose outcome is unknown: its receiver knows
   * repeats by their id. Otherwise it is sent at most once, and without what was settled meanwhile.
   */
  readonly repeats: boolean;
  /** Never rejects. `signal`: the runner stops. */
  send(message: NotificationMessage, signal: AbortSignal): Promise<SendOutcome>;
  /**
   * Changes a delivered message, in which something was settled meanwhile. It may be repeated. Never
   * rejects. Left out = the service cannot do it.
   */
  update?(message: NotificationMessage, handle: string, signal: AbortSignal): Promise<SendOutcome>;
}

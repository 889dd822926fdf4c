import type { Frame, ReceivedFrame } from '../contract/channel/frames.ts';
import type { FrameSocket } from '../contract/channel/frameSocket.ts';
import { MAX_HOOK_REASON_CHARS } from '../contract/channel/limits.ts';
import { shorten } from '../base/text/clip.ts';
import type { ForwardedWebhooks } from '../contract/forge/forwardedWebhook.ts';

interface Incoming {
  head: Frame<'hook'>;
  parts: Uint8Array[];
  bytes: number;
}

/** The deliveries that come through one socket: one at a time, and each is acknowledged once it is committed. */
export class WebhookInbox {
  readonly #socket: Pick<FrameSocket, 'send'>;
  readonly #webhooks: ForwardedWebhooks;
  #incoming: Incoming | null = null;
  #last: Promise<void> = Promise.resolve();

  constructor(socket: Pick<FrameSocket, 'send'>, webhooks: ForwardedWebhooks) {
    this.#socket = socket;
    this.#webhooks = webhooks;
  }

  /** Throws for a frame out of order. */
  receive({ body, ...frame }: ReceivedFrame<'senders' | 'hook' | 'hookPart'>): void {
    if (frame.type === 'senders') {
      this.#webhooks.takeSenders(frame.plugins);
      return;
    }
    if (frame.type === 'hook') this.#incoming = { head: frame, parts: [], bytes: 0 };
    const incoming = this.#incoming;
    if (incoming === null || incoming.head.n !== frame.n)
      throw new Error(`A part of the webhook ${frame.n} came out of order.`);
    incoming.parts.push(body);
    incoming.bytes += body.length;
    if (incoming.bytes < incoming.head.size) return;
    if (incoming.bytes > incoming.head.size)
      throw new Error(`The webhook ${frame.n} is longer than its size.`);
    this.#incoming = null;
    this.#last = this.#last.then(() => this.#answer(incoming));
  }

  async #answer({ head, parts }: Incoming): Promise<void> {
    const { n, pluginId, headers, receivedAt, rule } = head;
    const rawBody = Buffer.concat(parts);
    const webhookDelivery = { pluginId, headers, rawBody, receivedAt, rule: rule ?? null };
    const { outcome, jobId, reason } = await this.#webhooks.take(webhookDelivery);
    this.#socket.send({
      type: 'hookAck',
      n,
      outcome,
      ...(rule === undefined ? {} : { rule }),
      ...(jobId === undefined ? {} : { jobId }),
      ...(reason === undefined ? {} : { reason: shorten(reason, MAX_HOOK_REASON_CHARS) }),
    });
  }
}

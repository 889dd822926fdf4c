import type { Frame, ReceivedFrame } from '../../../src/contract/channel/frames.ts';
import { describeWebhook } from '../../../src/host/start/describeRunner.ts';
import { randomIds } from '../../../src/base/system/ids/ids.ts';
import type { TestControlPlane } from './startTestControlPlane.ts';
import { asUser, BareRunner, pairHome, waitUntil } from './testTeam.ts';
import { findSender, SENDERS } from './webhookSenders.ts';

const OFFERED = SENDERS.flatMap(({ plugin, manifest }) =>
  manifest === undefined ? [] : [describeWebhook({ pluginId: plugin, manifest })],
);

export type Node = Pick<TestControlPlane, 'ask' | 'url'>;

/** A delivery as a runner has received it. */
export interface Received {
  n: number;
  rule: string | undefined;
  pluginId: string;
  headers: Record<string, string>;
  body: Buffer;
}

/** A runner that takes webhooks as a test wants it to. */
export class HookedRunner {
  readonly bare: BareRunner;
  readonly runnerId: string;
  readonly token: string;
  readonly homeId: string;
  /** What has come, whole, in its order. */
  readonly received: Received[] = [];
  /** The senders of its team, each time that they came. */
  readonly senders: string[][] = [];
  /** Answers a delivery; null = it stays silent. */
  answer: (delivery: Received) => Omit<Frame<'hookAck'>, 'type' | 'n' | 'rule'> | null = () => ({
    outcome: 'taken',
  });
  #open: { head: ReceivedFrame<'hook'>; parts: Uint8Array[] } | null = null;

  constructor(
    node: Node,
    { runnerId, token, homeId }: Record<'runnerId' | 'token' | 'homeId', string>,
  ) {
    this.runnerId = runnerId;
    this.token = token;
    this.homeId = homeId;
    this.bare = new BareRunner(node, token);
  }

  async connect(): Promise<this> {
    await this.bare.hello({ homeId: this.homeId, name: this.homeId, webhooks: OFFERED });
    const take = () => {
      for (const frame of this.bare.frames.splice(0)) this.#take(frame);
    };
    this.bare.socket.on('message', take);
    take();
    return this;
  }

  /** Asks for a claim. */
  async claim(claim: Omit<Frame<'claim'>, 'type' | 'id'>) {
    const id = randomIds.next();
    this.bare.send({ type: 'claim', id, ...claim });
    await waitUntil(() => this.#answers.has(id));
    return this.#answers.get(id);
  }

  readonly #answers = new Map<string, ReceivedFrame<'claimAnswer'>>();

  #take(frame: ReceivedFrame): void {
    if (frame.type === 'senders') this.senders.push(frame.plugins);
    if (frame.type === 'claimAnswer') this.#answers.set(frame.id, frame);
    if (frame.type === 'hook') this.#open = { head: frame, parts: [frame.body] };
    if (frame.type === 'hookPart') this.#open?.parts.push(frame.body);
    if (this.#open === null) return;
    const { head, parts } = this.#open;
    const body = Buffer.concat(parts);
    if (body.length < head.size) return;
    this.#open = null;
    const { n, rule, pluginId, headers } = head;
    const delivery = { n, rule, pluginId, headers, body };
    this.received.push(delivery);
    const answer = this.answer(delivery);
    if (answer !== null)
      this.bare.send({ type: 'hookAck', n, ...(rule === undefined ? {} : { rule }), ...answer });
  }
}

/** Pairs a home and connects it. */
export async function connectHooked(node: TestControlPlane, homeId: string): Promise<HookedRunner> {
  const { body } = await pairHome(node, { homeId, name: homeId });
  return new HookedRunner(node, { ...body, homeId }).connect();
}

/**
 * Takes the webhooks of a sender of the tests, and enters the address there; resolves with the secret. Rejects where the
 * sender refuses the address.
 */
export async function addWebhook(node: Node, plugin: string, team = 'acme'): Promise<string> {
  const { createSecret, enterAddress } = findSender(plugin);
  const senderSecret = createSecret?.();
  const send = (manifest?: string) =>
    node.ask(`/teams/${team}/webhooks`, {
      method: 'POST',
      headers: asUser('adm'),
      body: JSON.stringify({ plugin, secret: senderSecret, manifest }),
    });
  let reply = await send();
  if (reply.status === 409) reply = await send((await reply.json()).offered[0].hash);
  const { secret = null, url } = await reply.json();
  const validSecret = senderSecret ?? secret;
  await enterAddress?.(url, validSecret);
  return validSecret;
}

export interface SentWebhook {
  secret: string;
  id?: string;
  at?: number;
  team?: string;
  body?: Uint8Array;
  /** Changes the headers of a genuine delivery. */
  change?(headers: Record<string, string>): Record<string, string>;
}

/** Sends a delivery as the sender would. */
export async function sendWebhook(
  node: Node,
  plugin: string,
  { secret, id = randomIds.next(), at = Date.now(), team = 'acme', body, change }: SentWebhook,
) {
  const { payload, sign } = findSender(plugin);
  const bytes = body ?? Buffer.from(JSON.stringify({ ...payload(at), nonce: id }));
  const signed = sign(bytes, secret, { id, at });
  const reply = await node.ask(`/webhook/${team}/${plugin}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(change ? change(signed) : signed) },
    body: Buffer.from(bytes),
  });
  return {
    status: reply.status,
    retryAfter: reply.headers.get('retry-after'),
    text: await reply.text(),
    bytes: Buffer.from(bytes),
    id,
  };
}

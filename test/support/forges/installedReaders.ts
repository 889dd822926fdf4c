import type { DeliveredEvent } from '../../../src/contract/forge/deliveredEvent.ts';
import type { Forge } from '../../../src/contract/forge/forge.ts';
import { createSignedReader } from '../../../src/providers/hooks/createSignedReader.ts';
import { SLACK } from './signedSenders.ts';

export const HOOK_SECRET = 'the secret of the webhooks';

/** An installed tracker, whose plugin is asked what a delivery reports. */
export const createTickReader = (
  translate: (delivery: unknown) => Promise<DeliveredEvent | null>,
) =>
  createSignedReader({
    id: 'tick',
    signature: () => ({ algorithm: 'sha256', header: 'X-Secret', format: 'token' }),
    idHeaders: ['X-Id'],
    read: (delivery) => ({ subject: null, event: null, translate: () => translate(delivery) }),
  })(HOOK_SECRET);

/** An installed forge, whose deliveries only say that something happened. */
export const hubReader = createSignedReader({
  id: 'hub',
  signature: () => ({ algorithm: 'sha256', header: 'X-Secret', format: 'token' }),
  idHeaders: ['X-Id'],
  read: () => ({ subject: { repo: null, numbers: null }, event: null }),
})(HOOK_SECRET);
export const HUB = { id: 'hub', capabilities: { remote: true } } as Forge;

/** An installed tracker whose sender checks the address first. */
export const slackReader = createSignedReader({
  id: 'slack',
  signature: () => SLACK,
  idHeaders: [],
  read: () => ({ subject: null, event: null }),
})(HOOK_SECRET);

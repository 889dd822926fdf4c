import type { WebhookReply } from '../schema/forge/forge.ts';
import type { DeliveredEvent } from './deliveredEvent.ts';

/**
 * Whose doings may wake and steer a job. Logins, or identities where logins are free to choose,
 * lower case.
 */
export interface WakeRules {
  /** `members` = those who may write to the repository; `everybody`; or these alone. */
  who: 'members' | 'everybody' | ReadonlySet<string>;
  /** Never, even where `who` allows them. */
  never: ReadonlySet<string>;
}

/** A webhook as it came. */
export interface Delivery {
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The bytes that were signed. */
  rawBody: Uint8Array;
}

/** Beside it, when it came, epoch ms: deliveries that say when they were sent may not be old. */
export interface ReceivedDelivery extends Delivery {
  receivedAt: number;
}

/**
 * The pull requests that a delivery is about. Nothing else of it is used for them: what happened is
 * read from the forge.
 */
export interface PrSubject {
  /** As the provider writes it; null = any of the forge: it says only that something happened. */
  repo: string | null;
  /** null = all of the repository, such as those whose commit it may be. */
  numbers: number[] | null;
}

/** What the sender of a delivery is answered. */
export interface WebhookAnswer extends WebhookReply {
  /** The text that it expects instead of JSON, where it only checks the address. Left out: it reports an event. */
  challenge?: string;
}

/** What is taken of a genuine delivery. */
export interface ReadDelivery extends Pick<WebhookAnswer, 'challenge'> {
  /** The same for a delivery that is sent again. */
  id: string;
  subject: PrSubject | null;
  /** What it says has happened; null for what no rule and no job asks about. */
  event: DeliveredEvent | null;
  /**
   * The same where a plugin has to be asked, which is done only for a delivery that is new. Throws
   * SvcError `unreachable` for one that is to be sent again. Left out: `event` says all.
   */
  translate?(): Promise<DeliveredEvent | null>;
}

/**
 * Verifies a delivery and reads it. Throws SvcError `unauthorized` for one that was not signed with
 * the secret, before any of it is read, and `malformed` for a genuine one that cannot be read.
 */
export type ReadWebhook = (delivery: ReceivedDelivery) => ReadDelivery;

/** A plugin whose webhooks are taken. */
export interface Hook {
  read: ReadWebhook;
  /** Users whose comments on tickets are reported to jobs. */
  rules: WakeRules;
  /** A person uses svc's account too: only what carries svc's mark is svc's own. */
  selfIsPerson: boolean;
  /** What names svc's own account, in the words of `identities`; may ask the provider. */
  ownIds(): Promise<readonly string[]>;
  /**
   * Whether the author belongs to the repository, asked of the provider where the delivery does not
   * show it; left out = the delivery alone counts. Throws SvcError `unreachable` where the provider
   * cannot say now.
   */
  isMember?(event: DeliveredEvent): Promise<boolean>;
}

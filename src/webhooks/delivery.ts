import type { PrAddress } from '../scm/forge.ts';

/** A webhook as it came. */
export interface Delivery {
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The bytes that were signed. */
  rawBody: Uint8Array;
}

/** The pull requests that a delivery is about. Nothing else of it is used for them: what happened is read from the forge. */
export interface PrSubject {
  /** As the provider writes it. */
  repo: string;
  /** null = those of the repository whose commit it may be. */
  numbers: number[] | null;
}

/** What is taken of a genuine delivery. */
export interface ReadDelivery {
  /** The same for a delivery that is sent again. */
  id: string;
  subject: PrSubject | null;
}

/**
 * Verifies a delivery and reads it. Throws SvcError `unauthorized` for one that was not signed with the secret, before anything of
 * it is looked at, and `malformed` for a genuine one that cannot be read.
 */
export type ReadWebhook = (delivery: Delivery) => ReadDelivery;

/** Those of the known pull requests that a delivery may concern. */
export const concerned = ({ repo, numbers }: PrSubject, known: readonly PrAddress[]): PrAddress[] =>
  known.filter((pr) => pr.repo.toLowerCase() === repo.toLowerCase() && (numbers === null || numbers.includes(pr.number)));

import { createHash } from 'node:crypto';

/** The challenge of a verifier by method S256 (RFC 7636, 4.2). */
export const computePkceChallenge = (verifier: string): string =>
  createHash('sha256').update(verifier, 'ascii').digest('base64url');

/**
 * A command's double-submit protection: the Idempotency-Key header and the sha256 of route and
 * body.
 */
export interface RequestKey {
  key: string;
  bodyHash: string;
}

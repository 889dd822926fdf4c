/**
 * Idempotency key: a command sent twice with the same key runs once. 1 to 128 printable ASCII
 * characters.
 */
export interface CommandOptions {
  idempotencyKey?: string;
}

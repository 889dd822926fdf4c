/**
 * Numbers of the advisory locks of a database: any, but each its own, and always the same. Two with one number would
 * wait for each other for ever: the server that svc starts is claimed for as long as its node lives.
 */
export const ADVISORY_LOCKS = {
  /** One node at a time migrates. */
  migration: 737_623_001,
  /** The svc that uses a server which svc has started. */
  serverOwner: 737_623_002,
  /** One team at a time gets its address. */
  teamSlugs: 737_623_003,
  /** One node at a time removes old entries of logs. */
  logCleanup: 737_623_004,
  /** One person at a time gets an account by the company's issuer. */
  signOn: 737_623_005,
  /** One node at a time deletes what is no longer kept. */
  retention: 737_623_006,
} as const;

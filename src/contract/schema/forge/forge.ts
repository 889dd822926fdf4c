import Type from 'typebox';
import { nullable } from '../kit/schemaKit.ts';

/**
 * What is left of an account's requests, by the kind that the forge counts apart (GitHub: `core`,
 * `graphql`).
 */
export const ForgeLimit = Type.Object({
  resource: Type.String(),
  limit: Type.Integer(),
  remaining: Type.Integer(),
  /** ISO 8601. */
  resetsAt: Type.String(),
});
export type ForgeLimit = Type.Static<typeof ForgeLimit>;

/**
 * The requests of one forge account, of the runner and of all agents together, since the runner
 * started.
 */
export const ForgeBudget = Type.Object({
  /** As the forge last said; empty before the first request. */
  limits: Type.Array(ForgeLimit),
  /** No request goes out before then, ISO 8601; null = requests go out. */
  waitsUntil: nullable(Type.String()),
  /** Requests that went out. */
  sent: Type.Integer(),
  /** Of them those answered by "not modified", which do not count against the limit. */
  notModified: Type.Integer(),
  /** Most requests of one job in an hour. */
  perJob: Type.Integer(),
  /** Jobs that have asked in this hour, the most asking first; at most 20. */
  jobs: Type.Array(Type.Object({ jobId: Type.String(), used: Type.Integer() })),
});
export type ForgeBudget = Type.Static<typeof ForgeBudget>;

/** One configured forge, as GET /forges shows it. */
export const ForgeView = Type.Object({
  id: Type.String(),
  remote: Type.Boolean(),
  /**
   * Account under which svc writes; null if jobs write under names of their own, or the forge could
   * not be asked yet.
   */
  account: nullable(Type.String()),
  /** Why it cannot be used now; null = it can. */
  problem: nullable(Type.String()),
  /** null for a forge without a limit. */
  budget: nullable(ForgeBudget),
  /** Pull requests whose news are asked for; at most 10,000 are counted. */
  watched: Type.Integer(),
  /** How often it was asked for news since the start of the runner, with or without an answer. */
  polls: Type.Integer(),
  /** Writes of this home so far, and how many of them have an unknown outcome. */
  writes: Type.Object({ all: Type.Integer(), undecided: Type.Integer() }),
});
export type ForgeView = Type.Static<typeof ForgeView>;
export const ForgeList = Type.Array(ForgeView);

/**
 * Reply of POST /webhooks/:pluginId. `duplicate`: this delivery came before; nothing happened
 * again.
 */
export const WebhookReply = Type.Object({
  accepted: Type.Literal(true),
  duplicate: Type.Boolean(),
});
export type WebhookReply = Type.Static<typeof WebhookReply>;

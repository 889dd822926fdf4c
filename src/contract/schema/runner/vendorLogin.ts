import Type from 'typebox';
import { PLUGIN_ID } from './pluginId.ts';
import { nullable, closed } from '../kit/schemaKit.ts';

const Executor = Type.String({ pattern: PLUGIN_ID.source });

/** The executor whose vendor is meant. */
export const VendorLoginBody = Type.Object({ executor: Executor }, closed);
export type VendorLoginBody = Type.Static<typeof VendorLoginBody>;

/** `executor`: of this one alone; default: of every one. */
export const VendorLoginQuery = Type.Object({ executor: Type.Optional(Executor) }, closed);

/**
 * What came back from the vendor. With `error` it has refused (RFC 6749, 4.1.2.1). Without code and
 * error, a login with a device code is asked for.
 */
export const VendorLoginCallback = Type.Object(
  {
    executor: Executor,
    state: Type.String({ minLength: 1, maxLength: 256 }),
    code: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
    error: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    errorDescription: Type.Optional(Type.String({ maxLength: 1000 })),
  },
  closed,
);
export type VendorLoginCallback = Type.Static<typeof VendorLoginCallback>;

/** A login at the vendor of an executor. It is kept in memory: a restart of the runner ends it. */
export const VendorLoginView = Type.Object({
  executor: Type.String(),
  phase: Type.Enum(['waiting', 'completing', 'done', 'failed', 'expired', 'cancelled']),
  /** Whether the caller's session began it; only then it can be completed. */
  own: Type.Boolean(),
  kind: Type.Enum(['browser', 'command', 'device']),
  /** The address to open; null where it is over or another session's. */
  url: nullable(Type.String()),
  /** The command to run in a terminal, which prints the code; null for other kinds. */
  command: nullable(Type.String()),
  /** What is typed there, with a device code. */
  userCode: nullable(Type.String()),
  /** To be sent with the code; null as `url`. */
  state: nullable(Type.String()),
  /** Shortest time between two questions about a device code, ms; null = it has none. */
  intervalMs: nullable(Type.Number()),
  /** ISO 8601. */
  expiresAt: Type.String(),
  /** How it ended; empty while it lasts. */
  detail: Type.String(),
});
export type VendorLoginView = Type.Static<typeof VendorLoginView>;
export const VendorLoginList = Type.Array(VendorLoginView);

/** Secret settings that were written into the configuration file; never their values. */
export const WrittenSecrets = Type.Object({
  settings: Type.Array(Type.String()),
  /** Keys that count from the next start on. */
  restart: Type.Array(Type.String()),
});
export type WrittenSecrets = Type.Static<typeof WrittenSecrets>;

/** `written` is null while the person is not done yet (device codes). */
export const VendorLoginReply = Type.Object({
  login: VendorLoginView,
  written: nullable(WrittenSecrets),
});
export type VendorLoginReply = Type.Static<typeof VendorLoginReply>;

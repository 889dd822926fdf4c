import Type from 'typebox';

/** One value of the configuration that applies; a secret is `********`. */
export const ConfigValue = Type.Object({
  /** Keys joined by dots. */
  key: Type.String(),
  value: Type.Unknown(),
  origin: Type.Enum(['flag', 'environment', 'file', 'default']),
  /** The flag, the variable, or `<file>:<line>:<column>`; null for a default. */
  from: Type.Union([Type.String(), Type.Null()]),
});
export type ConfigValue = Type.Static<typeof ConfigValue>;

/** Reply of GET and PUT /config; its version is the header ETag. */
export const ConfigReply = Type.Object({
  /** Path of the file on the runner's machine. */
  file: Type.String(),
  /** What the file says, defaults filled in, secrets as `********`. */
  config: Type.Record(Type.String(), Type.Unknown()),
  /** What applies at a start with the flags and the environment of this one, by key. */
  values: Type.Array(ConfigValue),
  warnings: Type.Array(Type.String()),
  /**
   * Keys that have changed since the runner was started: it continues with the old values until its
   * next start.
   */
  restart: Type.Array(Type.String()),
});
export type ConfigReply = Type.Static<typeof ConfigReply>;

/**
 * Body of PUT /config, a merge patch (RFC 7396): null takes a key out, what is left out stays,
 * `********` keeps a secret.
 */
export const ConfigPatch = Type.Record(Type.String(), Type.Unknown());
export type ConfigPatch = Type.Static<typeof ConfigPatch>;

/** Reply of GET /config/schema: what the configuration may hold, and what of it needs no restart. */
export const ConfigSchemaReply = Type.Object({
  /** JSON Schema of the file, draft 7; `secret` marks what is never shown. */
  schema: Type.Record(Type.String(), Type.Unknown()),
  /** Keys joined by dots that apply without a restart, with all below them. */
  live: Type.Array(Type.String()),
});
export type ConfigSchemaReply = Type.Static<typeof ConfigSchemaReply>;

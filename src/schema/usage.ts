import Type from 'typebox';

/**
 * Tokens that an endpoint has counted, of every request: failed and interrupted ones included, as
 * far as it reported them. Zero where the agent does not tell.
 */
export const Usage = Type.Object({
  /** All input, what was read from and written to a cache included. */
  inputTokens: Type.Integer({ minimum: 0 }),
  /** All output, thoughts included. */
  outputTokens: Type.Integer({ minimum: 0 }),
  /** The part of the input that was read from a cache. */
  cachedInputTokens: Type.Integer({ minimum: 0 }),
  /** The part of the input that was written to a cache; left out = 0. */
  cacheWriteTokens: Type.Optional(Type.Integer({ minimum: 0 })),
});
export type Usage = Type.Static<typeof Usage>;

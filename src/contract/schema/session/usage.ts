import Type from 'typebox';

/**
 * Tokens that an endpoint has counted, of every request: failed and interrupted ones included, as
 * far as it reported them. Zero where the agent does not tell.
 */
export const Usage = Type.Object({
  inputTokens: Type.Integer({
    minimum: 0,
    description: 'All input, what was read from and written to a cache included.',
  }),
  outputTokens: Type.Integer({ minimum: 0, description: 'All output, thoughts included.' }),
  cachedInputTokens: Type.Integer({
    minimum: 0,
    description: 'The part of the input that was read from a cache.',
  }),
  cacheWriteTokens: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'The part of the input that was written to a cache; left out = 0.',
    }),
  ),
  cacheWrite1hTokens: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'The part of `cacheWriteTokens` that the cache keeps for an hour, which costs more; left out = 0.',
    }),
  ),
  reasoningTokens: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'The part of the output that the model thought; left out = not reported.',
    }),
  ),
});
export type Usage = Type.Static<typeof Usage>;

/** `none`: a session that ended without a report; its tokens and its cost are not known. */
export const UsageSource = Type.Enum(['reported', 'estimated', 'none']);
export type UsageSource = Type.Static<typeof UsageSource>;

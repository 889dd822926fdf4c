import Type from 'typebox';

/** Tokens of one session; zero where the agent does not tell. */
export const Usage = Type.Object({
  inputTokens: Type.Integer({ minimum: 0 }),
  outputTokens: Type.Integer({ minimum: 0 }),
  cachedInputTokens: Type.Integer({ minimum: 0 }),
});
export type Usage = Type.Static<typeof Usage>;

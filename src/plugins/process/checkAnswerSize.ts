/** Largest answer of a plugin, characters as JSON. */
const MAX_ANSWER_CHARS = 16 * 1024 * 1024;

/** Returns the value; throws if it is too large for the runner to hold. */
export function checkAnswerSize(value: unknown): unknown {
  const size = JSON.stringify(value)?.length ?? 0;
  if (size > MAX_ANSWER_CHARS)
    throw new Error(`The answer has ${size} characters; the limit is ${MAX_ANSWER_CHARS}.`);
  return value;
}

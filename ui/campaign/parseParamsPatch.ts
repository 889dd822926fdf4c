/** The params that a person has typed, or why the text is not valid. */
export function parseParamsPatch(
  text: string,
): { patch: Record<string, unknown> } | { wrong: string } {
  if (text.trim() === '') return { patch: {} };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return { wrong: 'Params must be an object, such as { "baseBranch": "main" }.' };
    }
    return { patch: { ...value } };
  } catch (error) {
    return {
      wrong: `Not valid JSON: ${error instanceof Error ? error.message : String(error)}.`,
    };
  }
}

/** The value that a text of JSON holds; null where the text is not valid JSON. Never throws. */
export function parseJsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

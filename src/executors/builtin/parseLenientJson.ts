/** Strings, which are kept, and the numbers of Python that JSON does not have, such as NaN. */
const ODD_NUMBERS = /("(?:[^"\\]|\\.)*")|-?\b(?:Infinity|NaN)\b/g;

/** Parses JSON in which `NaN` and `Infinity` stand for null. Throws SyntaxError for anything else. */
export const parseLenientJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return JSON.parse(
      text.replaceAll(ODD_NUMBERS, (_odd, keptText?: string) => keptText ?? 'null'),
    );
  }
};

export interface FormDraft {
  path: string;
  /** What was typed, by param; a param that is not in it has the text that it began with. */
  texts: Readonly<Record<string, string>>;
  interactive: boolean;
  /** Phases whose checkpoint is approved in advance; null = as the earlier job had it. */
  approved: readonly string[] | null;
}

export const serializeFormDraft = (form: FormDraft): string => JSON.stringify(form);

const isTexts = (value: unknown): value is Record<string, string> =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((text) => typeof text === 'string');

/** The form of a draft; null where the draft holds none. */
export function parseFormDraft(text: string): FormDraft | null {
  try {
    const { path, texts, interactive, approved }: Record<string, unknown> = Object(
      JSON.parse(text),
    );
    if (typeof path !== 'string' || typeof interactive !== 'boolean' || !isTexts(texts))
      return null;
    const phases = Array.isArray(approved)
      ? approved.filter((phase): phase is string => typeof phase === 'string')
      : null;
    return { path, texts, interactive, approved: phases };
  } catch {
    return null;
  }
}

/** What a person has typed into the form of parameters, as a draft keeps it. */
export interface KeptForm {
  /** Texts of the parameters that were changed, by name. */
  texts: Readonly<Record<string, string>>;
  newName: string;
  newText: string;
  /** The whole patch as JSON; null = the form is used. */
  raw: string | null;
}

const EMPTY: KeptForm = { texts: {}, newName: '', newText: '', raw: null };

const readKeptText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A draft that was kept; one that cannot be read is as if nothing had been typed. */
export function parseKeptForm(draft: string): KeptForm {
  try {
    const { texts, newName, newText, raw } = Object(JSON.parse(draft || '{}'));
    const known = Object.entries(Object(texts)).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    return {
      texts: Object.fromEntries(known),
      newName: readKeptText(newName),
      newText: readKeptText(newText),
      raw: typeof raw === 'string' ? raw : null,
    };
  } catch {
    return EMPTY;
  }
}

/** As a draft keeps it; empty where nothing was typed. */
export const serializeKeptForm = (form: KeptForm): string =>
  Object.keys(form.texts).length === 0 &&
  form.newName === '' &&
  form.newText === '' &&
  form.raw === null
    ? ''
    : JSON.stringify(form);

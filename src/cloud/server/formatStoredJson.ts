/** Half a character, and NUL: JSON can hold them, and PostgreSQL cannot. */
const UNSTORABLE = /[\p{Cs}\0]/gu;

/** Each of them becomes the sign for an unreadable character. */
export const toStorable = (text: string): string => text.replace(UNSTORABLE, '\ufffd');

/** A value as JSON text that PostgreSQL stores. Names of members are kept: where they cannot be stored, nothing is. */
export const formatStoredJson = (value: unknown): string =>
  JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'string' ? toStorable(member) : member,
  );

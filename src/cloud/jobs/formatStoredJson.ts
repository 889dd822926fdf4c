const LONE_SURROGATE = /\p{Cs}/gu;

/** Half a character, which JSON can hold and PostgreSQL cannot, becomes the sign for an unreadable one. */
const toWellFormed = (text: string): string => text.replace(LONE_SURROGATE, '\ufffd');

/** A value as JSON text that PostgreSQL stores. */
export const formatStoredJson = (value: unknown): string =>
  JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'string' ? toWellFormed(member) : member,
  );

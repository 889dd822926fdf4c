/** A column of any kind as text; null stays null. */
export const toColumnTextOrNull = (value: unknown): string | null =>
  value === null ? null : String(value);

/** The text with a capital first letter, otherwise unchanged. */
export const capitalizeFirst = (text: string): string =>
  text.charAt(0).toUpperCase() + text.slice(1);

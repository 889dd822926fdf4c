/** The text on one line: each run of white space, line ends included, is one space; none at the ends. */
export const joinIntoOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

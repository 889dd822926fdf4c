/** Text without any letter that has a variant but its case; most that is searched is of that kind. */
const PLAIN = /^[\t\n -~]*$/;
/** Accents that are marks of their own once a letter is taken apart. */
const ACCENTS = /[\u0300-\u036f]/g;

/**
 * Text as it is compared in searches: without case, accents and variants of the same letter. "Café"
 * becomes "cafe", "STRASSE" and "Straße" become "strasse".
 */
export const foldText = (text: string): string =>
  PLAIN.test(text)
    ? text.toLowerCase()
    : text
        .normalize('NFKD')
        .replace(ACCENTS, '')
        // Upper case first: it knows more letters as equal (ß and SS, the two forms of sigma, dotless i).
        .toUpperCase()
        .toLowerCase()
        .replaceAll('ς', 'σ');

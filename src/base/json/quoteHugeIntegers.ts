/** Strings and long whole numbers of JSON. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g;
const MAYBE_HUGE = /\d{16}/;

/**
 * JSON in which whole numbers beyond 2^53, such as 64-bit ids, are strings: reading them as numbers
 * would change them.
 */
export const quoteHugeIntegers = (json: string): string =>
  MAYBE_HUGE.test(json)
    ? json.replace(TOKENS, (token) =>
        token.startsWith('"') || Number.isSafeInteger(Number(token)) ? token : `"${token}"`,
      )
    : json;

/** JSON in which such an `id` is a number again, as servers with 64-bit ids expect it. */
export const toJsonWithHugeIntegers = (value: unknown): string =>
  JSON.stringify(value).replace(/"id":"(\d{16,20})"/g, '"id":$1');

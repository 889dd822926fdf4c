/** Strings and long whole numbers of JSON. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g;
const MAYBE_HUGE = /\d{16}/;

/**
 * JSON in which whole numbers beyond 2^53 are texts: ids of 64 bits, of which reading as a number
 * would make other ones. Every other value stays.
 */
export const quoteHugeIntegers = (json: string): string =>
  MAYBE_HUGE.test(json)
    ? json.replace(TOKENS, (token) =>
        token.startsWith('"') || Number.isSafeInteger(Number(token)) ? token : `"${token}"`,
      )
    : json;

/**
 * The value as JSON, in which an `id` of more digits than a number keeps is a number again: a server
 * that gives ids of 64 bits wants them back as such.
 */
export const toJsonWithHugeIntegers = (value: unknown): string =>
  JSON.stringify(value).replace(/"id":"(\d{16,20})"/g, '"id":$1');

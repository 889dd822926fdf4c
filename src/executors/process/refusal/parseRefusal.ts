import { joinIntoOneLine } from '../../../base/text/clip.ts';
import { parseJsonOrNull } from '../../../base/json/parseJsonOrNull.ts';
import { toFields, toListOrEmpty, toStringOrEmpty } from '../../../base/json/untrusted.ts';
import { boundText, replaceControlRuns } from '../../../base/text/boundedText.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  apos: "'",
  nbsp: ' ',
};

/** The text of a page: its title first, without markup, scripts and styles. */
function stripPageMarkup(page: string): string {
  const title = /<title[^>]*>([^<]*)/i.exec(page)?.[1]?.trim() ?? '';
  const rest = page
    .replaceAll(/<(script|style|title|head)\b[^>]*>[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ')
    .replaceAll(/<!--[\s\S]*?(?:-->|$)/g, ' ')
    .replaceAll(/<[^>]*>?/g, ' ')
    .replaceAll(/&([a-z]+|#39);/gi, (entity, name) => ENTITIES[name.toLowerCase()] ?? entity)
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (title === '' || rest.startsWith(title)) return rest || title;
  return rest === '' ? title : `${title}: ${rest}`;
}

/** Longest text of a refusal that is passed on, characters. */
export const MAX_REFUSAL_CHARS = 1_000;
/** Deepest level of objects, and of JSON within texts, that is read. */
const DEEPEST = 6;
/** Share of unreadable characters from which a body is not text. */
const MOST_UNREADABLE = 0.1;

export interface Refusal {
  /** For people: bounded, without control characters; empty if the body has no text. */
  words: string;
  /** Codes, types and statuses of all levels, in lower case; numbers as text. */
  codes: readonly string[];
  /** Numeric members of all levels, by name. */
  numbers: Readonly<Record<string, number>>;
}

const CODES = [
  'code',
  'type',
  'status',
  'error_type',
  'error_code',
  'reason',
  '__type',
  'statusCode',
];
/** Members with the text of an error, the usual one first. */
const WORDS = ['message', 'Message', 'msg', 'error_description', 'error_message', 'description'];
/** Members with the object that holds the text. */
const INNER = ['error', 'detail', 'errors', 'details', 'title'];

/** JSON in a text: all of it, or after words such as "Error code: 400 - ". */
const parseInner = (words: string): unknown => {
  const begin = words.search(/[[{]/);
  return begin < 0 ? undefined : parseJsonOrNull(words.slice(begin));
};

/** All objects within a value, also those in JSON texts. */
function readLayers(value: unknown, depth = 0): Readonly<Record<string, unknown>>[] {
  if (depth > DEEPEST) return [];
  if (typeof value === 'string') return readLayers(parseInner(value), depth + 1);
  if (Array.isArray(value)) return value.flatMap((one) => readLayers(one, depth + 1));
  const layer = toFields(value);
  const members = Object.values(layer);
  return members.length === 0
    ? []
    : [layer, ...members.flatMap((one) => readLayers(one, depth + 1))];
}

function readWords(value: unknown, depth = 0): string {
  if (depth > DEEPEST || value === undefined || value === null) return '';
  if (typeof value === 'string') {
    const inner = parseJsonOrNull(value);
    return typeof inner === 'object' && inner !== null ? readWords(inner, depth + 1) : value;
  }
  if (Array.isArray(value))
    return [...new Set(value.map((one) => readWords(one, depth + 1)))]
      .filter((one) => one !== '')
      .join('; ');
  const layer = toFields(value);
  const own =
    WORDS.map((name) => toStringOrEmpty(layer[name]).trim()).find((one) => one !== '') ?? '';
  // A router's message says that a provider refuses, and this says why.
  const raw = readWords(toFields(layer.metadata).raw, depth + 1);
  // FastAPI: the place of the wrong value.
  const place = toListOrEmpty(layer.loc).join('.');
  const innerWords =
    own === ''
      ? (INNER.map((name) => readWords(layer[name], depth + 1)).find((one) => one !== '') ?? '')
      : readWords(own, depth + 1);
  return [place, innerWords, raw].filter((one) => one !== '').join(': ');
}

/** Whether a body is not text, such as compressed data. */
const isBinary = (body: string): boolean => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is counted
  const unreadable = body.match(/[\u0000-\u0008\u000e-\u001f\ufffd]/g)?.length ?? 0;
  return unreadable > body.length * MOST_UNREADABLE;
};

/** Foreign text as one bounded line for people. */
const flattenRefusalWords = (words: string): string =>
  boundText(replaceControlRuns(joinIntoOneLine(words)), MAX_REFUSAL_CHARS).replaceAll(
    /\s*\n\s*/g,
    ' ',
  );

export const isMarkupPage = (body: string): boolean => /^\s*<[!?a-z]/i.test(body);

const toWords = (body: string, value: unknown): string => {
  if (isBinary(body)) return `${body.length} characters of binary data`;
  if (isMarkupPage(body)) return stripPageMarkup(body) || body;
  if (value === undefined) return body;
  return readWords(value) || body;
};

/** Reads the body of a refusal in any server's form. Never throws. */
export function parseRefusal(body: string): Refusal {
  const value = parseJsonOrNull(body);
  const layers = readLayers(value ?? body);
  const codes = layers.flatMap((layer) =>
    CODES.map((name) => layer[name]).filter(
      (code) => typeof code === 'string' || typeof code === 'number',
    ),
  );
  const numbers = layers.flatMap((layer) =>
    Object.entries(layer).flatMap(([name, number]): [string, number][] =>
      typeof number === 'number' && Number.isFinite(number) ? [[name, number]] : [],
    ),
  );
  return {
    words: flattenRefusalWords(toWords(body, value)),
    codes: codes.map((code) => String(code).toLowerCase()),
    numbers: Object.fromEntries(numbers),
  };
}

import type { Refusal } from './parseRefusal.ts';

/** What a refusal says about a conversation that is too long, tokens. */
export interface TooLong {
  /** The model's window; null = the refusal does not say. */
  window: number | null;
  /** Length of the request without its answer; null = the refusal does not say. */
  asked: number | null;
}

const CODES: ReadonlySet<string> = new Set([
  'context_length_exceeded',
  'context_window_exceeded',
  'contextwindowexceedederror',
  'exceed_context_size_error',
  'input_too_long',
  'max_context_length_exceeded',
  'max_prompt_tokens_exceeded',
  'model_context_window_exceeded',
  'model_max_prompt_tokens_exceeded',
  'prompt_too_long',
  'request_too_large',
  'tokens_limit_reached',
]);

const WHAT = '(?:prompt|inputs?|request(?: entity| body)?|payload|conversation|messages?|context)';
const CONTEXT = 'context[ _-]?(?:length|window|size|limit)';
/** Texts of servers that give no code. */
const WORDS = new RegExp(
  [
    `\\b${WHAT} (?:is |are |was )?too (?:long|large)`,
    `(?:exceed\\w*|longer than|larger than|greater than|beyond|maximum|reached)[^.;]{0,120}${CONTEXT}`,
    `${CONTEXT}[^.;]{0,80}(?:exceed|overflow)`,
    'context[^.;]{0,20} overflow',
    'trying to keep the first \\d+ tokens',
    'exceeds? the maximum number of tokens',
    'input tokens exceed',
    'exceeded model token limit',
    'reduce (?:the|your) (?:length of )?(?:the )?(?:messages?|prompt|input)',
    'maximum prompt length',
    'prompt token count of',
    '(?:input|prompt) length[^.;]{0,40} exceeds',
    `${WHAT} exceeds (?:the )?(?:model|max|limit)`,
    'too many (?:input |prompt )?tokens(?!,? please wait| per)',
    'tokens must be reduced',
    '`?inputs`? (?:tokens \\+|must have less than)',
    'range of input length should be',
    'max_tokens must be at least 1, got -',
  ].join('|'),
  'i',
);
const OF_PART = /\btools[.[]\d|\bmetadata\b|\bfunction\.(?:name|description)\b/i;

const NUMBER = '(\\d[\\d,_]*)(?!\\s*(?:bytes|characters|chars|[kmg]i?b\\b))';
/** How servers name the model's window. The first match counts. */
const WINDOWS = [
  `> ?${NUMBER}`,
  `${NUMBER} maximum context`,
  `${CONTEXT}(?: (?:of|is|limit))?(?: only)?:? ?\\(?${NUMBER}`,
  `maximum prompt length is ${NUMBER}`,
  `maximum number of tokens allowed \\(?${NUMBER}`,
  `maximum allowed length \\(?${NUMBER}`,
  `(?:configured|token|the)? ?limit(?: of| is|:)? ${NUMBER}`,
  `must be <= ${NUMBER}`,
  `must have less than ${NUMBER}`,
  `\\[\\d+, ?${NUMBER}\\]`,
  `max(?:imum)? size: ${NUMBER} tokens`,
];
const ASKED = [
  `${NUMBER} (?:tokens )?(?:in|from) (?:the |your )?(?:messages|prompt|input)`,
  `(?:your )?request has ${NUMBER} input tokens`,
  `input length and \`?max_tokens\`? exceed context limit: ${NUMBER}`,
  `too long: ${NUMBER}`,
  `resulted in ${NUMBER}`,
  `token count (?:of )?\\(?${NUMBER}`,
  `(?:input|prompt)(?: length)? \\(?${NUMBER}`,
  `request \\(?${NUMBER}`,
  `contains ${NUMBER}`,
  `given: ${NUMBER}`,
  `current length is ${NUMBER}`,
  `you requested (?:about )?${NUMBER}`,
];
/** Smaller numbers are not a window, tokens. */
const LEAST_WINDOW = 256;
const MOST_WINDOW = 100_000_000;

const readNumber = (words: string, patterns: readonly string[]): number | null => {
  for (const pattern of patterns) {
    const digits = new RegExp(pattern, 'i').exec(words)?.[1]?.replaceAll(/[,_]/g, '');
    if (digits === undefined) continue;
    const number = Number(digits);
    if (number >= LEAST_WINDOW && number <= MOST_WINDOW) return number;
  }
  return null;
};

const readCount = (number: number | undefined): number | null =>
  number !== undefined && number >= LEAST_WINDOW && number <= MOST_WINDOW ? number : null;

/**
 * Whether a refusal is about a conversation that is too long, by its codes, then its text; null =
 * it is not.
 */
export function parseTooLong({ words, codes, numbers }: Refusal, status: number): TooLong | null {
  const isNamed = codes.some((code) => CODES.has(code)) || status === 413;
  const isSaid = WORDS.test(words) && !OF_PART.test(words);
  if (!isNamed && !isSaid) return null;
  return {
    window: readCount(numbers.n_ctx) ?? readNumber(words, WINDOWS),
    asked: readCount(numbers.n_prompt_tokens) ?? readNumber(words, ASKED),
  };
}

const OUTPUT =
  /max[_ ]?(?:(?:completion|output|new)[_ ]?)?tokens`?'?"?(?::? \d+)?[^.;]{0,60}(?:>|too (?:large|high|big)|at most|less than|exceeds?|range|maximum|must be (?:<|lower|smaller))|maximum tokens you requested exceeds|range of max_tokens/i;
/** In these cases the answer has no room beside the conversation. */
const BESIDE =
  /maximum context length|context limit|`?inputs`? tokens|max_tokens must be at least 1, got -/i;

/**
 * Whether a refusal is only about the length of the requested answer; null = it is not. `requestedTokens`:
 * that length, tokens.
 *
 * @returns the length to ask for instead: the one that the refusal names, or half
 */
export function parseOutputLimit({ words }: Refusal, requestedTokens: number): number | null {
  if (!OUTPUT.test(words) || BESIDE.test(words)) return null;
  const numbers = [...words.matchAll(/(?<![\w.-])\d[\d,_]*(?![\w-])/g)]
    .map(([number]) => Number(number.replaceAll(/[,_]/g, '')))
    .filter((number) => number < requestedTokens && number > 1);
  if (numbers.length === 0) return Math.floor(requestedTokens / 2);
  return Math.max(...numbers) - (/exclusive/i.test(words) ? 1 : 0);
}

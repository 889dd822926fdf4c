import { classifyQuota } from '../quota/classifyQuota.ts';
import { parseTooLong } from './parseLengths.ts';
import { parseRefusal } from './parseRefusal.ts';

/** How programs quote the status of an answer that refuses one request. */
const STATUS = /\b(?:api error|error code|status(?: code)?|http)\W{0,3}(?:400|413|422)\b/i;
const CODES: ReadonlySet<string> = new Set(['invalid_request_error', 'invalid_argument']);

/**
 * Whether the words with which a program has ended say that its model refuses this one request, such
 * as a conversation that is too long: another job of the account would not meet the same.
 */
export function isRequestRefused(words: string): boolean {
  const refusal = parseRefusal(words);
  // Money that is missing, and a limit, are the account's, whatever status they come with.
  if (classifyQuota(refusal.codes, words) !== null) return false;
  return (
    STATUS.test(words) ||
    refusal.codes.some((code) => CODES.has(code)) ||
    parseTooLong(refusal, 0) !== null
  );
}

import { classifyQuota } from '../quota/classifyQuota.ts';
import { parseTooLong } from './parseLengths.ts';
import { parseRefusal } from './parseRefusal.ts';

/** How programs quote the status of an answer that refuses one request. */
const STATUS = /\b(?:api error|error code|status(?: code)?|http)\W{0,3}(?:400|413|422)\b/i;
const CODES: ReadonlySet<string> = new Set(['invalid_request_error', 'invalid_argument']);

/**
 * Whether the last words of a program say that its model refuses this one request, such as a
 * conversation that is too long: other jobs of the account would not fail likewise.
 */
export function isRequestRefused(words: string): boolean {
  const refusal = parseRefusal(words);
  // Missing money and limits concern the account, whatever their status.
  if (classifyQuota(refusal.codes, words) !== null) return false;
  return (
    STATUS.test(words) ||
    refusal.codes.some((code) => CODES.has(code)) ||
    parseTooLong(refusal, 0) !== null
  );
}

import { parseJsonOrNull } from '../../base/json/parseJsonOrNull.ts';
import type { Answer } from './limits.ts';

/** GitHub's and Linear's words under status 200 or 400 when they have failed themselves. */
const FAULT_WORDS = /^something went wrong\b|\btimed? ?-?out\b|\binternal (?:server )?error\b/i;
const FAULT_CODES =
  /^(?:internal[ _](?:server[ _])?error|lock timeout|service[ _]unavailable|internal)$/i;

/** Whether an error of GraphQL is about the server alone. */
function isServerError(error: unknown): boolean {
  const { type, message, extensions } = Object(error);
  const { code, type: kind } = Object(extensions);
  const codes = [type, code, kind].filter((one) => typeof one === 'string' && one !== '');
  if (codes.length > 0) return codes.some((one) => FAULT_CODES.test(String(one)));
  return typeof message === 'string' && FAULT_WORDS.test(message);
}

/**
 * Whether a server has failed, so that the same question may be answered a moment later: by status,
 * or by the errors of a GraphQL answer that holds no data.
 */
export function isServerFault({ status, text }: Answer, isGraphql: boolean): boolean {
  if (status >= 500) return true;
  if (!isGraphql || (status !== 200 && status !== 400) || !text.includes('"errors"')) return false;
  const { data, errors } = Object(parseJsonOrNull(text));
  const isEmpty = data == null || Object.values(Object(data)).every((value) => value === null);
  return isEmpty && Array.isArray(errors) && errors.length > 0 && errors.every(isServerError);
}

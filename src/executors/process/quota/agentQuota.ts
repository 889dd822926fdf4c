import type { QuotaHit } from '../../../domain/quotaKinds.ts';
import { fields, text } from '../../../lib/untrusted.ts';
import { bodySigns } from './bodySigns.ts';
import { hitOf, kindOf, windowNamed } from './signs.ts';
import { latest } from './times.ts';
import { timeInWords, type WordPlace } from './wordTimes.ts';

/** Members in which agents put the status of an answer. */
const STATUSES = ['status', 'statusCode', 'code', 'api_error_status'];
const LIMIT_STATUSES = [402, 429, 529];

/** An error with all that is nested in it, at most three deep. */
const layersOf = (error: unknown): Record<string, unknown>[] => {
  const outer = fields(error);
  const data = fields(outer.data);
  return [outer, data, fields(outer.error), fields(data.error), fields(data.details)];
};

/**
 * The limit that an agent has met, read from its error; null where something else is wrong.
 * `words`: all that it says.
 */
export function agentQuota(error: unknown, words: string, place: WordPlace): QuotaHit | null {
  const { now } = place;
  const signs = bodySigns(error, now);
  const statuses = layersOf(error).flatMap((layer) => STATUSES.map((name) => Number(layer[name])));
  const codes = statuses.filter((one) => LIMIT_STATUSES.includes(one)).map(String);
  const said = `${words} ${signs.words} ${signs.limits.join(' ')}`;
  const kind = kindOf([...codes, ...signs.codes.filter((code) => /[a-z]/.test(code))], said);
  if (kind === null) return null;
  const resetsAt = latest([...signs.resets, timeInWords(said, place)]);
  return hitOf(kind, windowNamed(said), resetsAt, now);
}

/** The words of an error, for {@link agentQuota}. */
export const wordsIn = (error: unknown): string =>
  layersOf(error)
    .flatMap(({ message, details, type, data }) => [message, details, type, data].map(text))
    .join(' ');

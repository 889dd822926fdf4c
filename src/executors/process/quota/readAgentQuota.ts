import type { QuotaHit } from '../../../base/agents/quotaKinds.ts';
import { toFields, toStringOrEmpty } from '../../../base/json/untrusted.ts';
import { readBodySigns } from './readBodySigns.ts';
import { toQuotaHit, classifyQuota, findNamedWindow } from './classifyQuota.ts';
import { pickLatestTime } from './times.ts';
import { findLatestTimeInWords, type WordPlace } from './findLatestTimeInWords.ts';

/** Members in which agents put the status of an answer. */
const STATUSES = ['status', 'statusCode', 'code', 'api_error_status'];
const LIMIT_STATUSES = [402, 429, 529];

/** An error and what is nested in it, at most three deep. */
const listErrorLayers = (error: unknown): Record<string, unknown>[] => {
  const outer = toFields(error);
  const data = toFields(outer.data);
  return [outer, data, toFields(outer.error), toFields(data.error), toFields(data.details)];
};

/**
 * The limit that an agent has reached, from its error; null where something else is wrong. `words`:
 * all that it says.
 */
export function readAgentQuota(error: unknown, words: string, place: WordPlace): QuotaHit | null {
  const { now } = place;
  const signs = readBodySigns(error, now);
  const statuses = listErrorLayers(error).flatMap((layer) =>
    STATUSES.map((name) => Number(layer[name])),
  );
  const codes = statuses.filter((one) => LIMIT_STATUSES.includes(one)).map(String);
  const allWords = `${words} ${signs.words} ${signs.limits.join(' ')}`;
  const kind = classifyQuota(
    [...codes, ...signs.codes.filter((code) => /[a-z]/.test(code))],
    allWords,
  );
  if (kind === null) return null;
  const resetsAt = pickLatestTime([...signs.resets, findLatestTimeInWords(allWords, place)]);
  return toQuotaHit(kind, findNamedWindow(allWords), resetsAt, now);
}

export const collectErrorWords = (error: unknown): string =>
  listErrorLayers(error)
    .flatMap(({ message, details, type, data }) =>
      [message, details, type, data].map(toStringOrEmpty),
    )
    .join(' ');

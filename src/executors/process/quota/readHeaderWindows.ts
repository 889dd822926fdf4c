import type { QuotaUse } from '../../../base/agents/quotaKinds.ts';
import { parseQuotaDurationMs, toEpochMs } from './times.ts';

export type AnswerHeaders = Readonly<Record<string, string | undefined>>;

export interface HeaderWindow extends QuotaUse {
  /** The endpoint refuses requests because of it. */
  refuses: boolean;
  /** Whether this window decides about refusal; null = the endpoint does not say. */
  decides: boolean | null;
}

/** Names of Anthropic's subscription windows, and those for people. */
const CLAIMS: Readonly<Record<string, { claim: string; name: string }>> = {
  '5h': { claim: 'five_hour', name: '5 hours' },
  '7d': { claim: 'seven_day', name: '7 days' },
};
const UNIFIED = 'anthropic-ratelimit-unified';

const parseHeaderNumber = (value: string | undefined): number | null => {
  const number = value === undefined || value.trim() === '' ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : null;
};

/** `5 hours` and `7 days` of a Claude subscription. */
function readUnifiedWindows(headers: AnswerHeaders): HeaderWindow[] {
  const representative = headers[`${UNIFIED}-representative-claim`];
  const names = Object.keys(headers).flatMap((header) => {
    const [, name] = new RegExp(`^${UNIFIED}-(\\d+[hd]\\w*)-(?:status|reset|utilization)$`).exec(
      header,
    ) ?? [undefined, undefined];
    return name === undefined ? [] : [name];
  });
  return [...new Set(names)].map((name) => {
    const of = (part: string): string | undefined => headers[`${UNIFIED}-${name}-${part}`];
    const claim = CLAIMS[name];
    return {
      window: claim?.name ?? name,
      used: parseHeaderNumber(of('utilization')) ?? 0,
      resetsAt: toEpochMs(of('reset')),
      refuses: of('status') === 'rejected',
      decides: representative === undefined ? null : representative === (claim?.claim ?? name),
    };
  });
}

const formatWindowName = (minutes: number | null): string | null =>
  minutes === null
    ? null
    : minutes % 1_440 === 0
      ? `${minutes / 1_440} days`
      : minutes % 60 === 0
        ? `${minutes / 60} hours`
        : `${minutes} minutes`;

function readCodexWindows(headers: AnswerHeaders, now: number): HeaderWindow[] {
  return ['primary', 'secondary'].flatMap((slot) => {
    const of = (part: string): string | undefined => headers[`x-codex-${slot}-${part}`];
    const percent = parseHeaderNumber(of('used-percent'));
    if (percent === null) return [];
    const after = parseHeaderNumber(of('reset-after-seconds'));
    return {
      window: formatWindowName(parseHeaderNumber(of('window-minutes'))),
      used: percent / 100,
      resetsAt: toEpochMs(of('reset-at')) ?? (after === null ? null : now + after * 1_000),
      refuses: percent >= 100,
      decides: null,
    };
  });
}

/** Limits of an API key: Anthropic's with dates, OpenAI's with durations. */
function readKeyWindows(headers: AnswerHeaders, now: number): HeaderWindow[] {
  const headerNames = Object.keys(headers).flatMap((header) => {
    const anthropic = /^anthropic-ratelimit-(requests|tokens|input-tokens|output-tokens)-/;
    const [, theirs] = anthropic.exec(header) ?? [undefined, undefined];
    if (theirs !== undefined) return [{ name: theirs, of: `anthropic-ratelimit-${theirs}-#` }];
    const [, ours] = /^x-ratelimit-remaining-([\w-]+)$/.exec(header) ?? [undefined, undefined];
    return ours === undefined ? [] : [{ name: ours, of: `x-ratelimit-#-${ours}` }];
  });
  const forms = new Map(headerNames.map(({ name, of }) => [of, name]));
  return [...forms].flatMap(([of, name]) => {
    const read = (part: string): string | undefined => headers[of.replace('#', part)];
    const limit = parseHeaderNumber(read('limit'));
    const remaining = parseHeaderNumber(read('remaining'));
    // An endpoint that does not count reports -1.
    if (limit === null || remaining === null || limit <= 0 || remaining < 0) return [];
    const reset = read('reset') ?? '';
    const waitMs = parseQuotaDurationMs(reset);
    return {
      window: name.replaceAll(/[-_]/g, ' '),
      used: 1 - remaining / limit,
      resetsAt: waitMs === null ? toEpochMs(reset) : now + waitMs,
      refuses: remaining === 0,
      decides: null,
    };
  });
}

export const readHeaderWindows = (headers: AnswerHeaders, now: number): HeaderWindow[] => [
  ...readUnifiedWindows(headers),
  ...readCodexWindows(headers, now),
  ...readKeyWindows(headers, now),
];

/** Windows that reset sooner than this are not reported: requests wait within their session. */
export const SHORT_WINDOW_MS = 5 * 60_000;

/**
 * How full the account is, by the headers of a good answer: the window that decides, else the
 * fullest; null without a long one.
 */
export function readHeaderUse(headers: AnswerHeaders, now: number): QuotaUse | null {
  const lasting = readHeaderWindows(headers, now).filter(
    ({ resetsAt }) => resetsAt !== null && resetsAt - now > SHORT_WINDOW_MS,
  );
  const deciding = lasting.filter(({ decides }) => decides === true);
  const [fullest] = (deciding.length > 0 ? deciding : lasting).sort((a, b) => b.used - a.used);
  return fullest
    ? { used: fullest.used, window: fullest.window, resetsAt: fullest.resetsAt }
    : null;
}

import { NO_USAGE } from '../../base/spending/usageSum.ts';
import type { UsageReport } from '../../contract/session/usageReport.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type { Price } from './computeCallPrice.ts';
import type { UsagePlace } from './usagePlace.ts';

type CallRow = Tables['usage_calls'];

/** Time of a call's report, its number in the session, and the time since the previous one, ms. */
export type CallTime = Pick<CallRow, 'seq' | 'at' | 'ms'>;

export function toCallRow(
  place: UsagePlace,
  time: CallTime,
  { usage, source = 'reported' }: UsageReport,
  model: string | null,
  price: Pick<Price, 'microUsd' | 'metered'>,
): CallRow {
  return {
    ...place,
    ...time,
    model,
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cached_input_tokens: usage.cachedInputTokens,
    cache_write_tokens: usage.cacheWriteTokens ?? 0,
    cache_write_1h_tokens: usage.cacheWrite1hTokens ?? 0,
    reasoning_tokens: usage.reasoningTokens ?? 0,
    micro_usd: price.microUsd,
    metered: price.metered ? 1 : 0,
    source,
  };
}

/** The row of a session that ended without a report. */
export const createSilentRow = (
  place: UsagePlace,
  time: CallTime,
  model: string | null,
  metered: boolean,
): CallRow => ({
  ...toCallRow(place, time, { type: 'usage', usage: NO_USAGE }, model, { microUsd: null, metered }),
  source: 'none',
});

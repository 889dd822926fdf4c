import type { QuotaUse } from '../../base/agents/quotaKinds.ts';
import { type Fields, toFields, toStringOrEmpty } from '../../base/json/untrusted.ts';
import { toEpochMs } from '../process/quota/times.ts';

/** Windows of a subscription: the program's names and those for people. */
const WINDOWS: Readonly<Record<string, string>> = { five_hour: '5 hours', seven_day: '7 days' };

/** The name of a window for people; null where the program names none. */
export const toWindowName = (name: unknown): string | null => {
  const own = toStringOrEmpty(name);
  return (WINDOWS[own] ?? own) || null;
};

function toQuotaUses(name: unknown, { utilization, resetsAt }: Fields): QuotaUse[] {
  return typeof utilization === 'number' && utilization >= 0
    ? [{ used: utilization, window: toWindowName(name), resetsAt: toEpochMs(resetsAt) }]
    : [];
}

/**
 * How full the account is: the fullest window of a `rate_limit_event`. Null for other messages, or
 * without numbers.
 */
export function readAccountUse(message: Fields): QuotaUse | null {
  if (message.type !== 'rate_limit_event') return null;
  const info = toFields(message.rate_limit_info);
  const windows = [
    ...Object.entries(toFields(info.unifiedWindows)).flatMap(([name, window]) =>
      toQuotaUses(name, toFields(window)),
    ),
    ...toQuotaUses(info.rateLimitType, info),
  ];
  return windows.sort((a, b) => b.used - a.used)[0] ?? null;
}

import type { QuotaUse } from '../../domain/quotaKinds.ts';
import { type Fields, fields, text } from '../../lib/untrusted.ts';
import { epochMs } from '../process/quota/times.ts';

/** What the program calls the windows of a subscription, and how people do. */
const WINDOWS: Readonly<Record<string, string>> = { five_hour: '5 hours', seven_day: '7 days' };

/** A window as people call it; null where the program names none. */
export const windowOf = (name: unknown): string | null => {
  const own = text(name);
  return (WINDOWS[own] ?? own) || null;
};

function useOf(name: unknown, { utilization, resetsAt }: Fields): QuotaUse[] {
  return typeof utilization === 'number' && utilization >= 0
    ? [{ used: utilization, window: windowOf(name), resetsAt: epochMs(resetsAt) }]
    : [];
}

/**
 * How full the account is: the fullest window of a `rate_limit_event`. Null where the message is
 * another one, or gives no numbers.
 */
export function accountUse(message: Fields): QuotaUse | null {
  if (message.type !== 'rate_limit_event') return null;
  const info = fields(message.rate_limit_info);
  const windows = [
    ...Object.entries(fields(info.unifiedWindows)).flatMap(([name, window]) =>
      useOf(name, fields(window)),
    ),
    ...useOf(info.rateLimitType, info),
  ];
  return windows.sort((a, b) => b.used - a.used)[0] ?? null;
}

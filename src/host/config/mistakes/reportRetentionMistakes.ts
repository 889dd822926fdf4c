import { LEAST_EVERY_MS, MOST_EVERY_MS } from '../../../shared/settings/retention.ts';
import { parseShortDuration } from '../../../shared/time/parseShortDuration.ts';
import type { Config } from '../configSchema.ts';

/** A schedule that no one means: a run after the other, or none for years. */
export function reportRetentionMistakes(
  { retention: { every } }: Config,
  report: (path: (string | number)[], message: string) => void,
): void {
  if (every === null) return;
  const ms = parseShortDuration(every) ?? 0;
  if (ms < LEAST_EVERY_MS || ms > MOST_EVERY_MS)
    report(
      ['retention', 'every'],
      `retention.every is "${every}", but must be a duration from 10m to 365d, such as 24h; null switches the schedule off.`,
    );
}

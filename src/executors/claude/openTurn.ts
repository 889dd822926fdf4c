import { NO_USAGE } from '../../base/spending/usageSum.ts';
import type { Fields } from '../../base/json/untrusted.ts';
import type { UsageCount } from '../process/usageCount.ts';
import type { UsageMeter } from './usageMeter.ts';

/** Reports what a turn has used; estimates it if the program's counts are unusable. */
export function reportClaudeTurnUsage(count: UsageCount, meter: UsageMeter, result: Fields): void {
  count.take(...meter.readResultReports(result));
  const { isCounted, problem } = meter.endTurn();
  const isWithout = !isCounted && result.usage !== undefined;
  count.endTurn(isWithout ? { usage: NO_USAGE, problem } : null, problem);
}

export interface OpenTurn {
  over: Promise<void>;
  end(): void;
  interrupted: boolean;
}

export function openTurn(): OpenTurn {
  let end = () => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { over, end, interrupted: false };
}

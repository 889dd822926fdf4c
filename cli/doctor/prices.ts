import { PRICES } from '../../src/policy/usage/prices.generated.ts';
import { type Finding, toOkFinding, toWarningFinding } from './check.ts';

/** Age from which on prices are not trusted, days. */
const OLD_DAYS = 90;
const DAY_MS = 86_400_000;

/** `date`: of the prices of models, such as 2026-09-23; `now` in epoch ms. */
export function diagnosePrices(now: number, date = PRICES.date): Finding {
  const days = Math.floor((now - Date.parse(date)) / DAY_MS);
  return days <= OLD_DAYS
    ? toOkFinding(`prices of models are of ${date}`)
    : toWarningFinding(
        `prices of models are of ${date}, ${days} days old: costs may be wrong, and new models have none`,
        'Upgrade svc, or set the prices of your models in budgets.prices.',
      );
}

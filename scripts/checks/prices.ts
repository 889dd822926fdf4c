import { readFileSync } from 'node:fs';
import { PRICES } from '../../src/policy/usage/prices.generated.ts';
import { packageFrom } from '../prices/packageFrom.ts';
import { PRICES_FILE, pricesText } from '../prices/pricesText.ts';
import type { Check } from './check.ts';

/** The table of prices is the one that the installed package gives. */
export const prices: Check = {
  name: 'prices',
  async run() {
    const from = packageFrom();
    const isCurrent =
      PRICES.from === from &&
      readFileSync(PRICES_FILE, 'utf8') === pricesText({ date: PRICES.date, from });
    return {
      looked: PRICES.vendors.reduce((count, vendor) => count + vendor.prices.length, 0),
      at: 'models',
      problems: isCurrent ? [] : [`${PRICES_FILE} is not what ${from} gives. Run: npm run prices`],
    };
  },
};

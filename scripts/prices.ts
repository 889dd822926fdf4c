/**
 * npm run prices
 *
 * Writes the table of prices of models, src/policy/usage/prices.generated.ts, from the installed package.
 * Its date is the day on which that version of the package came out, which the npm registry says;
 * it is asked only where the version is another than the table's. `npm run check -- prices` compares
 * the two.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { packageFrom } from './prices/packageFrom.ts';
import { PRICES_FILE, PRICES_PACKAGE, pricesText } from './prices/pricesText.ts';
import { PRICES } from '../src/policy/usage/prices.generated.ts';

process.chdir(resolve(import.meta.dirname, '..'));
const from = packageFrom();

function publishedAt(): string {
  const answer = execFileSync('npm', ['view', PRICES_PACKAGE, 'time', '--json'], {
    encoding: 'utf8',
  });
  const times = JSON.parse(answer) as Record<string, string>;
  const day = times[from.slice(PRICES_PACKAGE.length + 1)]?.slice(0, 10);
  if (day === undefined) throw new Error(`The registry does not know when ${from} came out.`);
  return day;
}

const text = pricesText({ date: PRICES.from === from ? PRICES.date : publishedAt(), from });
writeFileSync(PRICES_FILE, text);
console.log(`${PRICES_FILE}: ${Math.round(text.length / 1024)} KB, ${from}`);

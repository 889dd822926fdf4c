import { readFileSync } from 'node:fs';
import { PRICES_PACKAGE } from './pricesText.ts';

export function packageFrom(): string {
  const { version } = JSON.parse(
    readFileSync(`node_modules/${PRICES_PACKAGE}/package.json`, 'utf8'),
  ) as { version: string };
  return `${PRICES_PACKAGE} ${version}`;
}

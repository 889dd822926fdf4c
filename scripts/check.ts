/**
 * npm run check [-- name…]
 *
 * All the checks that are not tests, or those named: one line each, details below the ones that
 * fail. A check that looked at nothing fails. Exit code 1 when one failed.
 */
import { resolve } from 'node:path';
import type { Check, Finding } from './checks/check.ts';
import { deadCode } from './checks/deadCode.ts';
import { fileRules } from './checks/fileRules.ts';
import { layers } from './checks/layers.ts';
import { spreads } from './checks/literalSpreads.ts';
import { manifest } from './checks/manifest.ts';
import { prices } from './checks/prices.ts';
import { reference } from './checks/reference.ts';
import { style } from './checks/style.ts';
import { plainWords } from './checks/oldWords.ts';
import { typecheck } from './checks/typecheck.ts';
import { words } from './checks/words.ts';

const CHECKS: readonly Check[] = [
  fileRules,
  words,
  plainWords,
  spreads,
  style,
  layers,
  deadCode,
  manifest,
  reference,
  prices,
  typecheck,
];

async function find(check: Check): Promise<Finding> {
  try {
    return await check.run();
  } catch (error) {
    return {
      looked: 0,
      at: 'things',
      problems: [error instanceof Error ? error.message : String(error)],
    };
  }
}

process.chdir(resolve(import.meta.dirname, '..'));
const names = process.argv.slice(2);
const unknown = names.filter((name) => !CHECKS.some((check) => check.name === name));
for (const name of unknown)
  console.log(
    `FAIL ${name}: unknown check; known: ${CHECKS.map((check) => check.name).join(', ')}`,
  );

let failed = unknown.length;
await Promise.all(
  CHECKS.filter((check) => names.length === 0 || names.includes(check.name)).map(async (check) => {
    const started = performance.now();
    const { looked, at, problems } = await find(check);
    if (looked === 0 && problems.length === 0) problems.push(`it checked no ${at}`);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(
      `${problems.length === 0 ? 'ok  ' : 'FAIL'} ${check.name.padEnd(10)} ${looked} ${at}, ${problems.length} problems, ${seconds} s`,
    );
    for (const problem of problems) console.log(problem.replace(/^/gm, '     '));
    if (problems.length > 0) failed++;
  }),
);
process.exitCode = failed === 0 ? 0 : 1;

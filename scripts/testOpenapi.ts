/**
 * npm run test:openapi [-- <provider>…]
 *
 * Runs the tests of the providers against their fakes, keeps the exchanges, and checks them by each
 * provider's own API description: one file of `scripts/openapi/` each. Descriptions are large: they
 * come from the npm registry into a folder outside the project. Printed for each provider: what was
 * checked, what is not covered and why, and last N exchanges, N passed, N failed.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Exchange } from '../test/support/forges/exchanges.ts';
import { bitbucket } from './openapi/bitbucket.ts';
import { github } from './openapi/github.ts';
import { githubGraphql } from './openapi/githubGraphql.ts';
import { gitlab } from './openapi/gitlab.ts';
import { jira } from './openapi/jira.ts';
import { jiraDatacenter } from './openapi/jiraDatacenter.ts';
import type { ExchangeChecker } from './openapi/exchangeChecker.ts';
import { linear } from './openapi/linear.ts';
import { loki, tempo } from './openapi/observability.ts';

const CHECKERS: readonly ExchangeChecker[] = [
  bitbucket,
  github,
  githubGraphql,
  gitlab,
  jira,
  jiraDatacenter,
  linear,
  loki,
  tempo,
];

const root = resolve(import.meta.dirname, '..');

function npm(args: readonly string[]): string {
  const { status, stdout } = spawnSync('npm', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  if (status !== 0) {
    console.error(`npm ${args.join(' ')} failed.`);
    process.exit(status ?? 1);
  }
  return String(stdout);
}

/** A package by itself, without what it depends on, at its place below `folder`. */
function unpack(folder: string, spec: string): void {
  const archive = npm(['pack', spec, '--silent', '--pack-destination', folder]).trim();
  const place = join(folder, 'node_modules', spec.replace(/(?<=.)@[^@]+$/, ''));
  mkdirSync(place, { recursive: true });
  const args = ['-xzf', join(folder, archive), '-C', place, '--strip-components=1'];
  const { status } = spawnSync('tar', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) process.exit(status ?? 1);
}

function folderWith({ packages, unpacked = [] }: ExchangeChecker): string {
  const all = [...packages, ...unpacked];
  const hash = createHash('sha256').update(all.join(' ')).digest('hex').slice(0, 12);
  const folder = join(tmpdir(), `svc-openapi-${hash}`);
  const marker = join(folder, 'fetched');
  if (all.length === 0 || existsSync(marker)) return folder;
  mkdirSync(folder, { recursive: true });
  const options = ['--no-save', '--no-fund', '--no-audit', '--ignore-scripts', '--force'];
  if (packages.length > 0) npm(['install', '--prefix', folder, ...options, ...packages]);
  for (const spec of unpacked) unpack(folder, spec);
  writeFileSync(marker, '');
  return folder;
}

/** Runs the tests; answers what went over the wire, each exchange once. */
function recordExchanges(tests: readonly string[]): Exchange[] {
  const dir = mkdtempSync(join(tmpdir(), 'svc-exchanges-'));
  const file = join(dir, 'exchanges.jsonl');
  try {
    writeFileSync(file, '');
    const { status } = spawnSync(process.execPath, ['--import', 'tsx', 'test/run.ts', ...tests], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, SVC_EXCHANGES: file },
    });
    if (status !== 0) process.exit(status ?? 1);
    const lines = readFileSync(file, 'utf8').split('\n');
    return [...new Set(lines.filter((line) => line !== ''))].map(
      (line) => JSON.parse(line) as Exchange,
    );
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

const names = process.argv.slice(2);
const unknown = names.filter((name) => !CHECKERS.some(({ provider }) => provider === name));
if (unknown.length > 0) {
  console.error(
    `Unknown: ${unknown.join(', ')}. There are: ${CHECKERS.map(({ provider }) => provider).join(', ')}.`,
  );
  process.exit(2);
}
const checkers = CHECKERS.filter(({ provider }) => names.length === 0 || names.includes(provider));
const exchanges = recordExchanges([...new Set(checkers.flatMap(({ tests }) => tests))]);
let failed = false;
for (const checker of checkers) {
  const { provider, packages, unpacked = [] } = checker;
  const own = exchanges.filter((one) => one.provider === provider);
  const report = await checker.check(own, folderWith(checker));
  const { operations, checked, failures, uncovered } = report;
  console.log(`\n${provider}`);
  for (const failure of failures) console.log(`FAIL  ${failure}`);
  for (const operation of [...operations].toSorted()) console.log(`      ${operation}`);
  for (const one of uncovered) console.log(`not covered: ${one}`);
  console.log(
    `${checked} exchanges, ${checked - failures.length} passed, ${failures.length} failed`,
  );
  // A checker that saw nothing proves nothing.
  failed ||= failures.length > 0 || (checked === 0 && packages.length + unpacked.length > 0);
}
process.exit(failed ? 1 : 0);

/**
 * Runs the tests, each `*.test.ts` below test/, several at a time. Files that leave their process as it was share
 * one (`findSharingHazards`); every other file has a process of its own, as has one that is named.
 *
 *   npm test                     all but the long lane
 *   npm run test:all             all
 *   npm run test:long            the files that have tests of the long lane, whole; or some of these
 *   npm test -- machines rules   those whose path contains one of the words, whole
 *   npm test -- --lane=default rules  the same files as the default lane runs them: what they cost CI
 *   npm test -- path/to/file.ts  just this file, whatever its name
 *   npm test -- --since main     those that a change since this commit can reach by imports, whole
 *   npm test -- --jobs=1         one at a time; default: two more than there are cores
 *
 * `--lane=default --since <commit>` runs the default lane and then, whole, what the change reaches of the long lane,
 * as CI does; with `--minutes=9` each file of the latter begins within so many minutes or is left out and named. `--shard=2/4` runs the second quarter of the files.
 *
 * A file that fails in a shared process runs again, alone, and so do up to eight others that failed in a run of
 * everything. Those that then pass are named as UNSTEADY: such a test is to be repaired, and the change is not
 * to blame. `--again` does so in a run of some.
 *
 * The last line is `N passed, N failed`; the exit code is 1 unless at least one test ran and none
 * failed.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import { readImportGraph } from './support/importGraph.ts';
import { listChangedFiles } from './support/listChangedFiles.ts';
import { type LongPart, findLongPart } from './support/longLane.ts';
import { runTestFiles } from './support/runTestFiles.ts';
import { selectReached } from './support/selectReached.ts';
import { type Lane, selectTests } from './support/selectTests.ts';
import { findSharingHazards } from './support/sharedProcess/findSharingHazards.ts';
import { toolFlags } from '../scripts/toolFlags.ts';

const LANES: readonly Lane[] = ['default', 'long', 'all', 'none'];

const root = resolve(import.meta.dirname, '..');
const inRepo = (file: string) => relative(root, file).split(sep).join('/');

function readLongParts(): Record<string, LongPart> {
  const entries = readdirSync(join(root, 'test'), { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        return [inRepo(path), findLongPart(entry.name, readFileSync(path, 'utf8'))];
      }),
  );
}

/** Ends the run where a flag has no value that it can have. */
function refuse(sentence: string): never {
  console.log(`FAIL ${sentence}`);
  console.log('0 passed, 1 failed');
  process.exit(1);
}

/** The part of the files that `2/4` names: every fourth, so that each part has some of every folder. */
function takeShard(files: readonly string[], shard: string | undefined): string[] {
  if (shard === undefined) return [...files];
  const [part = 0, parts = 0] = shard.split('/').map(Number);
  if (!(part >= 1 && part <= parts)) refuse(`"${shard}" is no part of the files, such as 2/4`);
  return files.toSorted().filter((_, n) => n % parts === part - 1);
}

async function main(): Promise<number> {
  const { values, positionals } = toolFlags({
    allowPositionals: true,
    options: {
      jobs: { type: 'string' },
      again: { type: 'boolean' },
      lane: { type: 'string' },
      since: { type: 'string' },
      minutes: { type: 'string' },
      shard: { type: 'string' },
    },
  });
  const lane = LANES.find((name) => name === (values.lane ?? (values.since ? 'none' : 'default')));
  if (lane === undefined) refuse(`"${values.lane}" is no lane: ${LANES.join(', ')}`);
  const changed = values.since === undefined ? [] : listChangedFiles(root, values.since);
  if (changed === undefined) refuse(`git does not know the commit "${values.since}"`);
  const parts = readLongParts();
  const short = values.lane === 'default' && positionals.length > 0;
  const graph = positionals.length === 0 || short ? readImportGraph(root) : undefined;
  const reached =
    graph && changed.length > 0 ? selectReached(graph, Object.keys(parts), changed) : [];
  const selected = selectTests(parts, positionals, {
    lane,
    reached,
    short,
    fileAt: (word) => {
      const path = resolve(word);
      return existsSync(path) && statSync(path).isFile() ? inRepo(path) : undefined;
    },
  });
  if (values.since !== undefined)
    console.log(
      `since ${values.since}: ${changed.length} files reach ${reached.length} test files`,
    );
  const files = takeShard(selected.files, values.shard);
  const after = takeShard(selected.after, values.shard);
  if (files.length === 0 && selected.unmatched.length === 0) {
    console.log('0 passed, 0 failed');
    return 0;
  }
  const mayShare = (file: string) =>
    graph !== undefined &&
    parts[file] !== undefined &&
    findSharingHazards(graph, file).length === 0;
  return runTestFiles({
    root,
    selected: { ...selected, files, after },
    sharing: new Set(files.filter(mayShare)),
    // A file that is named is to show its failure.
    again: positionals.length === 0 || values.again === true,
    lastBegin: performance.now() + Number(values.minutes ?? Infinity) * 60_000,
    jobs: Math.max(1, Number(values.jobs ?? availableParallelism() + 2) || 1),
  });
}

process.chdir(root);
process.exitCode = await main();

/**
 * Runs the tests: every `*.test.ts` below test/ in a process of its own, several at a time.
 *
 *   npm test                     all but the long lane
 *   npm run test:long            the files that have tests of the long lane, whole; or some of these
 *   npm test -- machines rules   those whose path contains one of the words, whole
 *   npm test -- path/to/file.ts  just this file, whatever its name
 *   npm test -- --jobs=1         one at a time; default: two more than there are cores
 *
 * A run of everything runs up to eight failed files once more, alone, and names those that then pass
 * as UNSTEADY: such a test is to be repaired, and the change is not to blame. `--again` does so in a
 * run of some.
 *
 * The last line is `N passed, N failed`; the exit code is 1 unless at least one test ran and none
 * failed.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { makeStartCode } from './support/cli/startCode.ts';
import { LONG_LANE_VARIABLE, type LongPart, longPartOf } from './support/longLane.ts';
import { scratchFolder } from './support/scratchFolder.ts';
import { selectTests } from './support/selectTests.ts';
import { type FileResult, killGroup, runFile } from './support/uvuFile.ts';
import { bundleTests } from '../scripts/bundleTests.ts';
import { toolFlags } from '../scripts/toolFlags.ts';

/**
 * Longest run of one file, ms; stories drive whole processes, simulations many lives. Several times
 * what a quiet machine takes.
 */
const FILE_TIMEOUT_MS = 300_000;
const LONG_TIMEOUT_MS = 480_000;
/**
 * Most failed files that are run once more, alone: those that starve beside other tests are a few;
 * more are a broken product.
 */
const SECOND_TRIES = 8;
/** Of the crash matrix, which kills and starts the runner at every fault point. */
const CRASH_TIMEOUT_MS = 840_000;

const root = resolve(import.meta.dirname, '..');
const timesFile = join(root, 'node_modules', '.cache', 'svc', 'testTimes.json');
const inRepo = (file: string) => relative(root, file).split(sep).join('/');
const isLong = (file: string) => /^test\/(stories|browser|sim)\//.test(file);
const timeoutOf = (file: string) =>
  file.startsWith('test/crash/')
    ? CRASH_TIMEOUT_MS
    : isLong(file)
      ? LONG_TIMEOUT_MS
      : FILE_TIMEOUT_MS;

function testFiles(): Record<string, LongPart> {
  const entries = readdirSync(join(root, 'test'), { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        return [inRepo(path), longPartOf(entry.name, readFileSync(path, 'utf8'))];
      }),
  );
}

function pastTimes(): Record<string, number> {
  try {
    return JSON.parse(readFileSync(timesFile, 'utf8')) as Record<string, number>;
  } catch {
    return {};
  }
}

/** Folders whose files take long, for a clone that has run no tests yet. */
const isSlow = (file: string) => /^test\/(stories|browser|crash|sim|plugins|attacks)\//.test(file);

/** Folders whose tests start the built runner. */
const startsRunner = (file: string) => /^test\/(stories|browser|crash|docs|attacks)\//.test(file);

/**
 * Slow files first, so that none of them is left over at the end; unknown ones count as slow. Those
 * that weigh the same come from their folders in turn: browsers keep every core busy, and processes
 * that wait for each other keep none busy.
 */
function order(files: readonly string[], times: Readonly<Record<string, number>>): string[] {
  const weight = (file: string) => times[file] ?? (isSlow(file) ? 1e9 : 1e6);
  const folderOf = (file: string) => file.split('/')[1] ?? '';
  const folders = new Map<string, string[]>();
  for (const file of files.toSorted())
    folders.set(folderOf(file), [...(folders.get(folderOf(file)) ?? []), file]);
  const turn = new Map(
    [...folders.values()].flatMap((all) => all.map((file, n) => [file, n / all.length] as const)),
  );
  const turnOf = (file: string) => turn.get(file) ?? 0;
  return files.toSorted((a, b) => weight(b) - weight(a) || turnOf(a) - turnOf(b));
}

function report(result: FileResult): void {
  const line = `${(result.ms / 1000).toFixed(2).padStart(7)} s  ${String(result.passed).padStart(4)} passed  ${result.file}`;
  if (result.failed === 0) {
    console.log(`ok   ${line}`);
    // A figure that a test wants to show is a line of its own.
    for (const [note] of result.output.matchAll(/^note: .*$/gm)) console.log(`     ${note}`);
    // What a test could not try on this machine (a missing program) is no failure, and must not
    // pass unseen either.
    for (const leftOut of result.output.match(/^left out: .*$/gm) ?? [])
      console.log(`     ${leftOut}`);
    return;
  }
  console.log(`FAIL ${line}  (${result.failed} failed)`);
  for (const problem of result.problems) console.log(`     ${problem}`);
  console.log(result.output.trimEnd().replace(/^/gm, '     | '));
}

async function main(): Promise<number> {
  const { values, positionals } = toolFlags({
    allowPositionals: true,
    options: {
      jobs: { type: 'string' },
      again: { type: 'boolean' },
      long: { type: 'boolean', default: false },
    },
  });
  const { files, unmatched, long, left } = selectTests(testFiles(), positionals, {
    long: values.long,
    fileAt: (word) => {
      const path = resolve(word);
      return existsSync(path) && statSync(path).isFile() ? inRepo(path) : undefined;
    },
  });
  for (const word of unmatched) console.log(`FAIL no test file matches "${word}"`);
  const times = pastTimes();
  const queue = order(files, times);
  const bundled = await bundleTests(root, queue).catch((error: Error) => error);
  if (bundled instanceof Error) {
    console.log(`FAIL the tests cannot be bundled: ${bundled.message}`);
    console.log(`0 passed, ${unmatched.length + 1} failed`);
    return 1;
  }
  const scratch = scratchFolder(process.env);
  // A test must not see the settings or the runner of the person who runs it.
  const home = join(scratch, 'home');
  mkdirSync(home);
  const env: NodeJS.ProcessEnv = { ...process.env, HOME: home, TMPDIR: scratch };
  delete env['SVC_HOME'];
  if (long) env[LONG_LANE_VARIABLE] = '1';
  if (files.some(startsRunner))
    Object.assign(env, await makeStartCode(root, join(scratch, 'start'), env));
  const running = new Set<number>();
  const removeAll = () => {
    // What a killed process still writes for a moment makes a folder that was emptied full again.
    rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    bundled.remove();
  };
  const stop = () => {
    for (const pid of running) killGroup(pid);
    removeAll();
    process.exit(130);
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);

  const run = async (file: string): Promise<FileResult> => {
    let pid = 0;
    const result = await runFile({
      file,
      program: bundled.pathOf(file),
      timeoutMs: timeoutOf(file),
      env,
      onStart: (started) => {
        pid = started;
        running.add(pid);
      },
    });
    running.delete(pid);
    report(result);
    return result;
  };
  const results = new Map<string, FileResult>();
  const worker = async () => {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      const result = await run(file);
      if (file.endsWith('.test.ts')) times[file] = Math.round(result.ms);
      results.set(file, result);
    }
  };
  // Nearly a quarter of the time, tests wait for processes and clocks: two more than there are cores
  // keep these busy.
  const jobs = Math.max(1, Number(values.jobs ?? availableParallelism() + 2) || 1);
  await Promise.all(Array.from({ length: jobs }, worker));

  // Only of a run of everything, where files take each other's time: who names a file wants to see it.
  const again = [...results.values()].filter((result) => result.failed > 0);
  if ((positionals.length === 0 || values.again) && again.length <= SECOND_TRIES)
    for (const first of again) {
      console.log(`once more, alone: ${first.file}`);
      const second = await run(first.file);
      if (second.failed > 0) continue;
      results.set(first.file, second);
      console.log(`UNSTEADY ${first.file}: it failed beside the others and passes alone`);
    }

  const sum = (of: 'passed' | 'failed') =>
    [...results.values()].reduce((total, result) => total + result[of], 0);
  const passed = sum('passed');
  const failed = unmatched.length + sum('failed');
  removeAll();
  mkdirSync(dirname(timesFile), { recursive: true });
  writeFileSync(timesFile, JSON.stringify(times));
  if (left > 0)
    console.log(`not run: the long lane, all or some tests of ${left} files (npm run test:long)`);
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

process.chdir(root);
process.exitCode = await main();

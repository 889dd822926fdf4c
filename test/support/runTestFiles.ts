import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeStartCode } from './cli/startCode.ts';
import { LONG_LANE_VARIABLE } from './longLane.ts';
import { orderTests } from './orderTests.ts';
import { readChildrenTime } from './readChildrenTime.ts';
import { reportFile } from './reportFile.ts';
import { scratchFolder } from './scratchFolder.ts';
import type { SelectedTests } from './selectTests.ts';
import {
  SHARED_PROCESS_WORKER,
  type SharedProcess,
  openSharedProcess,
} from './sharedProcess/openSharedProcess.ts';
import { type FileResult, killGroup, runFile } from './uvuFile.ts';
import { bundleTests } from '../../scripts/bundleTests.ts';

/** Longest run of one file, ms: several times what a quiet machine takes for stories. */
const FILE_TIMEOUT_MS = 300_000;
const LONG_TIMEOUT_MS = 480_000;
/** Of the crash matrix, which kills and starts the runner at every fault point. */
const CRASH_TIMEOUT_MS = 840_000;
/**
 * Most failed files that are run once more, alone: those that starve beside other tests are a few;
 * more are a broken product.
 */
const SECOND_TRIES = 8;

const isLong = (file: string) => /^test\/(stories|browser|sim)\//.test(file);
const chooseTimeout = (file: string) =>
  file.startsWith('test/crash/')
    ? CRASH_TIMEOUT_MS
    : isLong(file)
      ? LONG_TIMEOUT_MS
      : FILE_TIMEOUT_MS;
const startsRunner = (file: string) => /^test\/(stories|browser|crash|docs|attacks)\//.test(file);

function readPastTimes(timesFile: string): Record<string, number> {
  try {
    return JSON.parse(readFileSync(timesFile, 'utf8')) as Record<string, number>;
  } catch {
    return {};
  }
}

export interface TestRun {
  /** Folder of the project; paths are relative to it. */
  root: string;
  selected: SelectedTests;
  sharing: ReadonlySet<string>;
  again: boolean;
  /** When a file of the long lane may still begin, ms of this process. */
  lastBegin: number;
  jobs: number;
}

export async function runTestFiles(options: TestRun): Promise<number> {
  const { root, selected, sharing, again, lastBegin, jobs } = options;
  const { files, whole, after, unmatched, left } = selected;
  const timesFile = join(root, 'node_modules', '.cache', 'svc', 'testTimes.json');
  for (const word of unmatched) console.log(`FAIL no test file matches "${word}"`);
  const times = readPastTimes(timesFile);
  // What shares a process comes last: small pieces that keep every core busy to the end.
  const shares = (file: string) => sharing.has(file) && !whole.has(file);
  const alone = files.filter((file) => !shares(file));
  const shared = files.filter(shares);
  const queue = [...orderTests(alone, times), ...orderTests(shared, times)];
  const afterwards = orderTests(after, times);
  const bundled = await bundleTests(root, [
    ...new Set([...queue, ...afterwards, SHARED_PROCESS_WORKER]),
  ]).catch((error: Error) => error);
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
  delete env[LONG_LANE_VARIABLE];
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

  const runAlone = async (file: string, isComplete = whole.has(file)): Promise<FileResult> => {
    let pid = 0;
    const result = await runFile({
      file,
      program: bundled.toBundledPath(file),
      timeoutMs: chooseTimeout(file),
      env: isComplete ? { ...env, [LONG_LANE_VARIABLE]: '1' } : env,
      onStart: (started) => {
        pid = started;
        running.add(pid);
      },
    });
    running.delete(pid);
    reportFile(result);
    return result;
  };
  const runShared = async (shared: SharedProcess, file: string): Promise<FileResult> => {
    const { doubt, ...first } = await shared.run(file, bundled.toBundledPath(file));
    if (doubt === undefined) {
      reportFile(first);
      return first;
    }
    const alone = await runAlone(file);
    if (alone.failed === 0) console.log(`UNSTEADY ${file}: ${doubt}, and passes alone`);
    return alone;
  };
  const results = new Map<string, FileResult>();
  const wholes = new Set(whole);
  const work = async () => {
    const shared = openSharedProcess({
      worker: bundled.toBundledPath(SHARED_PROCESS_WORKER),
      env,
      timeoutMs: FILE_TIMEOUT_MS,
      onStart: (pid) => running.add(pid),
      onEnd: (pid) => running.delete(pid),
    });
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      const result = await (shares(file) ? runShared(shared, file) : runAlone(file));
      if (file.endsWith('.test.ts')) times[file] = Math.round(result.ms);
      results.set(file, result);
    }
    shared.close();
    while (performance.now() < lastBegin) {
      const file = afterwards.shift();
      if (file === undefined) return;
      wholes.add(file);
      results.set(file, await runAlone(file, true));
    }
  };
  // Nearly a quarter of the time, tests wait for processes and clocks: two more than there are cores
  // keep these busy.
  await Promise.all(Array.from({ length: jobs }, work));

  const failures = [...results.values()].filter((result) => result.failed > 0);
  if (again && failures.length <= SECOND_TRIES)
    for (const first of failures) {
      console.log(`once more, alone: ${first.file}`);
      const second = await runAlone(first.file, wholes.has(first.file));
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
  if (afterwards.length > 0)
    console.log(
      `not run whole, no time was left: ${afterwards.length} files that the change reaches`,
    );
  for (const file of afterwards) console.log(`     ${file}`);
  const seconds = readChildrenTime();
  if (seconds !== undefined) console.log(`processor time: ${Math.round(seconds)} s`);
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

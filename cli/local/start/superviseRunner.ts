import { homedir } from 'node:os';
import { join } from 'node:path';
import type { RunnerProcess } from '../../../src/contract/runner/runnerProcess.ts';
import { resolveConfigPlace } from '../../../src/host/config/home/resolveConfigPlace.ts';
import { noteStart } from '../../../src/host/config/home/startNote.ts';
import {
  followProgram,
  spawnProgram,
  type ChildRunner,
} from '../../../src/host/upgrade/childRunner.ts';
import { toRunningRunner, type RunningRunner } from '../../../src/host/upgrade/runningRunner.ts';
import {
  UpgradeSupervisor,
  STATE_WAIT_MS,
  type UpgradeSupervisorOptions,
} from '../../../src/host/upgrade/upgradeSupervisor.ts';
import { keepProgramCopy, prunePrograms } from '../../../src/host/upgrade/programCopies.ts';
import { findFailedBuild, finishUpgrade } from '../../../src/host/upgrade/finishUpgrade.ts';
import { formatProgramName, type Program } from '../../../src/host/upgrade/program.ts';
import { isStateHeld } from '../../../src/kernel/sqlite/inspectStore.ts';
import { createDeferred } from '../../../src/base/concurrency/createDeferred.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { toErrorMessage, SvcError } from '../../../src/base/errors/errors.ts';
import {
  describeHolders,
  findFileHolders,
} from '../../../src/base/system/process/findFileHolders.ts';
import { randomIds } from '../../../src/base/system/ids/ids.ts';
import { isProcessAlive } from '../../../src/base/system/process/isProcessAlive.ts';
import { createRunningRunner } from './createRunningRunner.ts';
import { readOwnProgram, ownRoot, prepareRunner, type StartParts } from './prepareRunner.ts';
import { get } from 'node:http';
import { readToken } from '../../../src/host/config/home/runnerToken.ts';

/** Longest wait for the answer, ms. */
const ANSWER_MS = 10_000;

/** Resolves where the runner at the address answers that it is healthy. Rejects with SvcError. */
async function checkHealth(url: string, tokenFile: string): Promise<void> {
  const token = await readToken(tokenFile);
  const status = await new Promise<number>((resolve, reject) => {
    const headers = token === null ? {} : { authorization: `Bearer ${token}` };
    // Not `fetch`, which would use a proxy of the environment; proxies are for other machines.
    const request = get(`${url}/health`, { headers, timeout: ANSWER_MS, agent: false }, (reply) => {
      reply.resume();
      resolve(reply.statusCode ?? 0);
    });
    request.on('timeout', () => request.destroy(new Error('no answer')));
    request.on('error', reject);
  });
  if (status !== 200) throw new SvcError('conflict', `GET ${url}/health answered ${status}.`);
}

/**
 * Runs the home's runner in this process until a signal, or until the program that has taken over
 * from it ends. Resolves with the exit code; rejects where the runner does not start. `argv`: the
 * flags of `svc start`, for programs that take over.
 */
export async function superviseRunner(parts: StartParts, argv: readonly string[]): Promise<number> {
  const { env, flags } = parts;
  const { home } = resolveConfigPlace({ env, homeDir: homedir(), flags, packageRoot: ownRoot });
  const takeBackNote = await noteStart(home, process.pid);
  try {
    return await keepNamed(parts, argv, { home, takeBackNote });
  } finally {
    await takeBackNote();
  }
}

/**
 * The same after the process has named itself. `takeBackNote`: called as soon as the home has a
 * runner.
 */
async function keepNamed(
  parts: StartParts,
  argv: readonly string[],
  { home, takeBackNote }: { home: string; takeBackNote(): Promise<void> },
): Promise<number> {
  const { streams } = parts;
  const stateDb = join(home, 'state.db');
  const own = readOwnProgram();
  await finishUpgrade(home, stateDb, await own, {
    isBusy: (pid) => pid !== process.pid && isProcessAlive(pid),
    isHeld: isStateHeld,
  });

  const awaitHealth = (url: string) => checkHealth(url, join(home, 'runner.token'));
  const start = (program: Program): ChildRunner =>
    followProgram(program, spawnProgram(program, argv));
  const asChild = async (program: Program, port: number): Promise<RunningRunner> => {
    const child = start(program);
    const { storeVersion } = await child.ready;
    child.say({ type: 'go', port });
    const url = await child.serving;
    await awaitHealth(url);
    child.say({ type: 'confirmed' });
    return toRunningRunner(child, storeVersion, Number(new URL(url).port));
  };
  const inProcess = async (ofProcess: RunnerProcess, again?: { port: number }) => {
    const preparedRunner = await prepareRunner(parts);
    const stateWait = { ms: STATE_WAIT_MS, report: (text: string) => streams.err(`${text}\n`) };
    const options = { process: ofProcess, ...(again && { ...again, stateWait }) };
    const openedRunner = await preparedRunner.open(options);
    const facts = { program: own, storeVersion: preparedRunner.storeVersion };
    const runner = createRunningRunner(openedRunner, facts, streams.err);
    ending.promise.then(runner.end, () => {});
    return { opened: openedRunner, runner };
  };

  let supervisor: UpgradeSupervisor | null = null;
  // Set where the runner must not run on, whatever is under way.
  const ending = createDeferred<number>();
  // Set by a signal that comes after the runner answers and before it is kept.
  let toStop: ((upgradeSupervisor: UpgradeSupervisor) => void) | null = null;
  const ofProcess: RunnerProcess = {
    stop(handOver = false) {
      // Not SIGTERM, with which a machine of the pool gives its jobs away.
      toStop = (upgradeSupervisor) =>
        handOver ? upgradeSupervisor.stopHandingOver() : upgradeSupervisor.signal('SIGINT');
      if (supervisor !== null) toStop(supervisor);
    },
    end: ending.resolve,
    restart: (root) => supervisor?.restart(root) ?? Promise.reject(new Error('not started')),
  };
  const options: UpgradeSupervisorOptions = {
    home,
    stateDb,
    clock: systemClock,
    createId: randomIds.next,
    pid: process.pid,
    isHeld: isStateHeld,
    holder: (file) => describeHolders(findFileHolders(file)) ?? 'another process',
    keepProgram: (root) => keepProgramCopy(home, root, (text) => streams.err(`Warning: ${text}\n`)),
    start,
    isHealthy: awaitHealth,
    tell: (line) => streams.err(`${line}\n`),
    startAgain: async (program, port) =>
      program.root === ownRoot
        ? (await inProcess(ofProcess, { port })).runner
        : asChild(program, port),
  };

  const failedBuild = await findFailedBuild(home, await own);
  if (failedBuild !== null) {
    streams.err(
      `${formatProgramName(failedBuild.program)} was rolled back at ${failedBuild.at}: ${failedBuild.reason} ${formatProgramName(failedBuild.instead)} runs instead; svc upgrade tries again.\n`,
    );
    const child = await asChild(failedBuild.instead, 0).catch((error: unknown) => {
      streams.err(`The previous version does not start either: ${toErrorMessage(error)}\n`);
      return null;
    });
    if (child !== null) {
      supervisor = new UpgradeSupervisor(child, options);
      await takeBackNote();
      return awaitSupervisorEnd(supervisor, streams);
    }
  }

  void prunePrograms(home, [ownRoot]).catch(() => {});
  const { opened, runner } = await inProcess(ofProcess);
  supervisor = new UpgradeSupervisor(runner, options);
  const exitCode = awaitSupervisorEnd(supervisor, streams);
  await takeBackNote();
  if (toStop !== null) {
    (toStop as (upgradeSupervisor: UpgradeSupervisor) => void)(supervisor);
    return exitCode;
  }
  try {
    await opened.greet();
  } catch (error) {
    await opened.close();
    throw error;
  }
  return exitCode;
}

async function awaitSupervisorEnd(
  supervisor: UpgradeSupervisor,
  streams: StartParts['streams'],
): Promise<number> {
  const takeBack = streams.onStop((signal) =>
    // A terminal that is closed ends what runs in it.
    supervisor.signal(signal === 'SIGHUP' && streams.terminal ? 'SIGTERM' : signal),
  );
  try {
    return await supervisor.ended;
  } finally {
    takeBack();
  }
}

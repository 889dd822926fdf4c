import type { RunnerProcess } from '../../src/contract/runnerProcess.ts';
import { type ChildRunner, followProgram, startProgram } from '../../src/handover/childRunner.ts';
import { finishHandOver, type Incumbent, Keeper, keptChild } from '../../src/handover/keeper.ts';
import { type Program, programAt } from '../../src/handover/program.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { randomIds } from '../../src/lib/ids.ts';
import { checkHealth } from './healthCheck.ts';
import { ownRunner } from './ownRunner.ts';
import { ownRoot, prepareRunner, type StartParts } from './preparedRunner.ts';

/**
 * Runs the home's runner in this process until a signal, or until the program that has taken over
 * from it ends. Resolves with the exit code; rejects where the runner does not start. `argv`: the
 * flags of `svc start`, for programs that take over.
 */
export async function keepRunner(parts: StartParts, argv: readonly string[]): Promise<number> {
  const { streams } = parts;
  const prepared = await prepareRunner(parts);
  const { home, paths } = prepared.settings;
  const own = programAt(ownRoot);
  await finishHandOver(home, paths.stateDb, await own);

  let keeper: Keeper | null = null;
  const ofProcess: RunnerProcess = {
    stop: () => keeper?.signal('SIGTERM'),
    restart: (root) => keeper?.restart(root) ?? Promise.reject(new Error('not started')),
  };
  const opened = await prepared.open({ process: ofProcess, isFirst: true });
  const facts = { program: own, storeVersion: prepared.storeVersion };

  const isHealthy = (url: string) => checkHealth(url, paths.tokenFile);
  const start = (program: Program): ChildRunner =>
    followProgram(program, startProgram(program, argv));
  const again = async (port: number): Promise<Incumbent> => {
    const anew = await prepareRunner(parts);
    const options = { process: ofProcess, port, isFirst: false };
    return ownRunner(await anew.open(options), facts, streams.err);
  };
  keeper = new Keeper(ownRunner(opened, facts, streams.err), {
    home,
    stateDb: paths.stateDb,
    clock: systemClock,
    nextId: randomIds.next,
    start,
    isHealthy,
    tell: (line) => streams.err(`${line}\n`),
    async startAgain(program, port) {
      if (program.root === ownRoot) return again(port);
      const child = start(program);
      const { storeVersion } = await child.ready;
      child.say({ type: 'go', port });
      const url = await child.serving;
      await isHealthy(url);
      child.say({ type: 'confirmed' });
      return keptChild(child, storeVersion, Number(new URL(url).port));
    },
  });
  const takeBack = streams.onStop((signal) => keeper?.signal(signal));
  try {
    return await keeper.ended;
  } finally {
    takeBack();
  }
}

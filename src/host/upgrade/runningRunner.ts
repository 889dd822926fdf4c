import type { ChildRunner } from './childRunner.ts';
import type { Program } from './program.ts';

/** What runs the jobs of the home now: this process or a child of it. */
export interface RunningRunner {
  program: Promise<Program>;
  storeVersion: number;
  port: number;
  /** Stops in order: sessions are interrupted, jobs kept. The home is free when it resolves. */
  release(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  /** Stops in order and gives the home up: another runner of the team continues its jobs at once. */
  stopHandingOver(): void;
  /** Answers a child's request to make room for a program. */
  onRestart?: ChildRunner['onRestart'];
  /** Its exit code, where it ends without having been released. */
  ended: Promise<number>;
}

export function toRunningRunner(
  child: ChildRunner,
  storeVersion: number,
  port: number,
): RunningRunner {
  return {
    program: Promise.resolve(child.program),
    storeVersion,
    port,
    async release() {
      child.say({ type: 'release' });
      await child.ended;
    },
    signal(signal) {
      // On Windows, a signal to another process ends it at once.
      if (process.platform === 'win32') child.say({ type: 'release' });
      else child.signal(signal);
    },
    stopHandingOver() {
      child.say({ type: 'release', handOver: true });
    },
    onRestart: (answer) => child.onRestart(answer),
    ended: child.ended,
  };
}

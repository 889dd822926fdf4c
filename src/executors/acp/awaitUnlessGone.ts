import type { Clock } from '../../base/time/clock.ts';
import { raceDeadline } from '../../base/time/waiting.ts';
import type { AgentProcess, ProcessExit } from '../process/agentProcess.ts';

/**
 * How long the end of the connection waits for the end of the process, and that for the last
 * output, ms.
 */
const GONE_MS = 1_000;

export class AgentGoneError extends Error {
  readonly exited: ProcessExit;

  constructor(exit: ProcessExit, lastWords: string, advice: string) {
    const words = [exit.words, exit.how === 'exited' ? advice : '', lastWords];
    super(words.filter((part) => part !== '').join(' '));
    this.exited = exit;
  }
}

interface Agent {
  clock: Clock;
  process: Pick<AgentProcess, 'exited' | 'formatLastWords'>;
  link: { readonly isOpen: boolean };
  program: string;
  /** What to do where it exits by itself now; empty = nothing. */
  advice: string;
}

/** Rejects with {@link AgentGoneError} when the agent is gone before it answers. */
export function awaitUnlessGone<T>(
  answer: Promise<T>,
  { clock, process, link, program, advice }: Agent,
): Promise<T> {
  const throwGone = (exit: ProcessExit): never => {
    throw new AgentGoneError(exit, process.formatLastWords(), advice);
  };
  const exitFailure = process.exited.then(async (exit) => {
    // The last output may still be in the pipe.
    const settledAnswer = answer.catch(() => new Promise(() => {}));
    await raceDeadline(clock, GONE_MS, settledAnswer, () => null);
    return throwGone(exit);
  });
  const safe = answer.catch(async (error: unknown) => {
    if (link.isOpen) throw error;
    // The end of the connection is seen a moment before that of the process, which says more.
    const exit = await raceDeadline(clock, GONE_MS, process.exited, () => null);
    if (exit !== null) throwGone(exit);
    const words = [
      `${program} closed its output, but still runs.`,
      advice,
      process.formatLastWords(),
    ];
    throw new Error(words.filter((part) => part !== '').join(' '), { cause: error });
  });
  return Promise.race([safe, exitFailure]);
}

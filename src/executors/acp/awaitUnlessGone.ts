import type { Clock } from '../../shared/time/clock.ts';
import { raceDeadline } from '../../shared/time/waiting.ts';
import type { AgentProcess, ProcessExit } from '../process/agentProcess.ts';

/**
 * How long the end of the connection waits for that of the process, and the latter for what was
 * said before it, ms.
 */
const GONE_MS = 1_000;

/** The process has ended. */
export class AgentGone extends Error {
  readonly exited: ProcessExit;

  constructor(exited: ProcessExit, lastWords: string) {
    super(`${exited.words} ${lastWords}`);
    this.exited = exited;
  }
}

interface Agent {
  clock: Clock;
  process: Pick<AgentProcess, 'exited' | 'lastWords'>;
  link: { readonly isOpen: boolean };
}

/** The answer of an agent. Rejects with {@link AgentGone} where the agent is gone before it. */
export function awaitUnlessGone<T>(
  answer: Promise<T>,
  { clock, process, link }: Agent,
): Promise<T> {
  const gone = (exited: ProcessExit): never => {
    throw new AgentGone(exited, process.lastWords());
  };
  const ended = process.exited.then(async (exited) => {
    // What it said at last may still be in the pipe.
    const said = answer.catch(() => new Promise(() => {}));
    await raceDeadline(clock, GONE_MS, said, () => null);
    return gone(exited);
  });
  const safe = answer.catch(async (error: unknown) => {
    if (link.isOpen) throw error;
    // The end of the connection is seen a moment before that of the process, which says more.
    const exited = await raceDeadline(clock, GONE_MS, process.exited, () => null);
    if (exited !== null) gone(exited);
    throw error;
  });
  return Promise.race([safe, ended]);
}

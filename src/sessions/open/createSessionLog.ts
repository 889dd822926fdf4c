import type { SessionEvent } from '../../contract/session/executor.ts';
import { AgentLines, type SessionLine } from './agentLines.ts';

/** Most lines per commit, so that others get a turn in between. */
const LINES_A_COMMIT = 500;

/**
 * Appends the lines of a session's events to the job's log, in order. Lines of one event-loop turn
 * are written together. The executor reads on only when the promise is settled: an agent that
 * floods would otherwise fill the memory with lines that wait for their commit.
 */
export const createSessionLog = (append: (lines: readonly SessionLine[]) => Promise<unknown>) => {
  let waiting: SessionLine[] = [];
  let gathered: Promise<void> | undefined;
  let kept: Promise<void> = Promise.resolve();

  const appendAll = async (before: Promise<void>, lines: readonly SessionLine[]): Promise<void> => {
    await before;
    for (let from = 0; from < lines.length; from += LINES_A_COMMIT)
      await append(lines.slice(from, from + LINES_A_COMMIT));
  };
  const gather = async (): Promise<void> => {
    // All lines of this turn have arrived when it is over.
    await undefined;
    const lines = waiting;
    waiting = [];
    gathered = undefined;
    kept = appendAll(kept, lines);
    await kept;
  };

  const add = (lines: readonly SessionLine[]): Promise<void> | undefined => {
    if (lines.length === 0) return undefined;
    waiting.push(...lines);
    gathered ??= gather();
    return gathered;
  };

  const agent = new AgentLines();
  const take = (event: SessionEvent): Promise<void> | undefined => {
    const lines = agent.takeLines(event);
    // The last words of a turn may have no line end.
    if (event.type === 'turn') lines.push(...agent.rest());
    return add(lines);
  };
  return Object.assign(take, {
    /** Call it after the session's last event. Settles when everything is written. */
    async end(): Promise<void> {
      await add(agent.rest());
      await gathered;
      await kept;
    },
  });
};
export type SessionLog = ReturnType<typeof createSessionLog>;

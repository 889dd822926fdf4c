import type { SessionBacklog } from '../../base/concurrency/backlog.ts';
import type { SessionEvent } from '../../contract/session/executor.ts';
import { AgentLines, type SessionLine } from './agentLines.ts';

/** What a line counts in the backlog beside its characters, bytes: it is stored as a row. */
const LINE_COST_BYTES = 64;
/** Most lines per commit, so that others get a turn in between. */
const LINES_A_COMMIT = 500;

/**
 * Appends the lines of a session's events to the job's log, in order. Lines of one event-loop turn
 * are written together. The executor reads on only when the promise is settled: an agent that
 * floods would otherwise fill the memory with lines that wait for their commit. Where commits wait
 * for a control plane, it reads on while the backlog has room.
 */
export const createSessionLog = (
  append: (lines: readonly SessionLine[]) => Promise<unknown>,
  backlog: SessionBacklog,
) => {
  let waiting: SessionLine[] = [];
  let reading: Promise<void> | undefined;
  let writing: Promise<void> = Promise.resolve();

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
    reading = undefined;
    const release = backlog.hold(countBytes(lines));
    writing = appendAll(writing, lines).finally(release);
    await writing;
  };

  const add = (lines: readonly SessionLine[]): Promise<void> | undefined => {
    if (lines.length === 0) return undefined;
    waiting.push(...lines);
    reading ??= gather();
    return reading;
  };
  const readOn = (storing: Promise<void> | undefined): Promise<void> | undefined => {
    if (storing === undefined || !backlog.isOpen) return storing;
    // It is stored in order, and the session's end waits for it.
    storing.catch(() => {});
    return backlog.room();
  };

  const agent = new AgentLines();
  const take = (event: SessionEvent): Promise<void> | undefined => {
    const lines = agent.takeLines(event);
    // The last words of a turn may have no line end.
    if (event.type === 'turn') lines.push(...agent.rest());
    return readOn(add(lines));
  };
  return Object.assign(take, {
    /** Call it after the session's last event. Settles when everything is written. */
    async end(): Promise<void> {
      await add(agent.rest());
      await reading;
      await writing;
    },
  });
};

const countBytes = (lines: readonly SessionLine[]): number =>
  lines.reduce((sum, { line }) => sum + line.length + LINE_COST_BYTES, 0);

export type SessionLog = ReturnType<typeof createSessionLog>;

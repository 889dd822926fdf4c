import type { Session, SessionEvent } from '../../contract/session/executor.ts';
import type { PluginExecutor } from '../../contract/runner/plugin.ts';
import type { Nudge, Report, Task } from './protocol.ts';

interface Line {
  send(report: Report): Promise<void>;
  onNudge(take: (nudge: Nudge) => void): void;
}

/** Runs one session of a plugin; the runner is at the other end of the line. */
export async function runPluginSession(
  executor: PluginExecutor,
  request: Extract<Task, { op: 'run' }>['request'],
  { send, onNudge }: Line,
): Promise<unknown> {
  const waiting = new Map<number, () => void>();
  /** Messages that came before there was a session. */
  const early: Nudge[] = [];
  let session: Session | null = null;
  let last = 0;
  onNudge((nudge) => {
    if (nudge.nudge === 'kept') {
      waiting.get(nudge.n)?.();
      waiting.delete(nudge.n);
    } else if (session === null) early.push(nudge);
    else void passNudge(session, nudge, send);
  });
  const onEvent = (event: SessionEvent): Promise<void> => {
    last += 1;
    const n = last;
    void send({ report: 'event', n, event });
    return new Promise((resolve) => waiting.set(n, resolve));
  };
  session = await executor.run({ ...request, onEvent });
  for (const nudge of early) void passNudge(session, nudge, send);
  return session.result;
}

/** A plugin that throws where it must not counts as one that refuses. */
async function passNudge(session: Session, nudge: Nudge, send: Line['send']): Promise<void> {
  const { steering } = session;
  const holds = async (run: () => unknown): Promise<boolean> => {
    try {
      return (await run()) === true;
    } catch {
      return false;
    }
  };
  if (nudge.nudge === 'end') await holds(() => session.end(nudge.graceMs));
  else if (nudge.nudge === 'send') await holds(() => steering?.send(nudge.messages));
  else if (nudge.nudge === 'close') await holds(() => steering?.close());
  else if (nudge.nudge === 'interrupt')
    await send({
      report: 'answered',
      n: nudge.n,
      yes: await holds(() => steering?.interrupt(nudge.ackMs)),
    });
  else if (nudge.nudge === 'heal')
    await send({ report: 'answered', n: nudge.n, yes: await holds(() => steering?.heal()) });
}

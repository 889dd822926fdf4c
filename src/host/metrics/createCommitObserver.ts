import type { CommitNotice } from '../../kernel/contract.ts';
import type { DurableStore } from '../../kernel/writer.ts';

export interface ProcessObserver {
  sessionStarted(): void;
  sessionEnded(reason: string, seconds: number | null): void;
  waited(kind: string, seconds: number): void;
  committed(outcome: 'ok' | 'failed', seconds: number): void;
}

/** A job's parking as its context has it; null = the job is not parked. */
function readParking(context: unknown): { kind: string; since: number } | null {
  const { kind, since } = Object(Object(context).parked);
  const at = typeof since === 'string' ? Date.parse(since) : Number(since);
  return typeof kind === 'string' && Number.isFinite(at) ? { kind, since: at } : null;
}

/** Reads sessions and waits off the commits. Sessions that it has seen begin are timed. */
export function createCommitObserver(observed: ProcessObserver): {
  onCommit(notice: CommitNotice): void;
  running(): number;
} {
  const began = new Map<string, number>();
  const onCommit = ({ steps }: CommitNotice): void => {
    for (const { id, before, after, journal } of steps) {
      const isReopened =
        journal.event.type === 'kernel.recovered' && journal.event['effect'] === 'session.open';
      if (isReopened || journal.effects.some(({ type }) => type === 'session.open')) {
        began.set(id, journal.at);
        observed.sessionStarted();
      }
      if (journal.event.type === 'session.ended') {
        const at = began.get(id);
        began.delete(id);
        const reason = Reflect.get(journal.event, 'stopReason');
        observed.sessionEnded(String(reason), at === undefined ? null : (journal.at - at) / 1000);
      }
      const was = readParking(before?.context);
      const is = readParking(after.context);
      if (was !== null && was.since !== is?.since)
        observed.waited(was.kind, (journal.at - was.since) / 1000);
    }
  };
  return { onCommit, running: () => began.size };
}

/** Times every commit of the store, from now on. `now`: ms that only go up. */
export function timeCommits(
  store: Pick<DurableStore, 'commit'>,
  observed: Pick<ProcessObserver, 'committed'>,
  now: () => number,
): void {
  const commit = store.commit.bind(store);
  store.commit = (batch, overlap) => {
    const began = now();
    const seconds = () => (now() - began) / 1000;
    let written: ReturnType<typeof commit>;
    try {
      written = commit(batch, overlap);
    } catch (error) {
      observed.committed('failed', seconds());
      throw error;
    }
    if (written === undefined) observed.committed('ok', seconds());
    else
      written.then(
        () => observed.committed('ok', seconds()),
        () => observed.committed('failed', seconds()),
      );
    return written;
  };
}

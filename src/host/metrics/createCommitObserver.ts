import type { CommitNotice } from '../../kernel/contract.ts';
import type { DurableStore } from '../../kernel/writer.ts';

export interface ProcessObserver {
  sessionStarted(): void;
  sessionEnded(reason: string, seconds: number | null): void;
  noteWait(kind: string, seconds: number): void;
  noteCommit(outcome: 'ok' | 'failed', seconds: number): void;
}

/** A job's parking as its context has it; null = the job is not parked. */
function readParking(context: unknown): { kind: string; since: number } | null {
  const { kind, since } = Object(Object(context).parked);
  const at = typeof since === 'string' ? Date.parse(since) : Number(since);
  return typeof kind === 'string' && Number.isFinite(at) ? { kind, since: at } : null;
}

/** Reads sessions and waits off the commits. Sessions that it has seen begin are timed. */
export function createCommitObserver(observer: ProcessObserver): {
  onCommit(notice: CommitNotice): void;
  countRunning(): number;
} {
  const began = new Map<string, number>();
  const onCommit = ({ steps }: CommitNotice): void => {
    for (const { id, before, after, journal } of steps) {
      const isReopened =
        journal.event.type === 'kernel.recovered' && journal.event['effect'] === 'session.open';
      if (isReopened || journal.effects.some(({ type }) => type === 'session.open')) {
        began.set(id, journal.at);
        observer.sessionStarted();
      }
      if (journal.event.type === 'session.ended') {
        const at = began.get(id);
        began.delete(id);
        const reason = Reflect.get(journal.event, 'stopReason');
        observer.sessionEnded(String(reason), at === undefined ? null : (journal.at - at) / 1000);
      }
      const was = readParking(before?.context);
      const is = readParking(after.context);
      if (was !== null && was.since !== is?.since)
        observer.noteWait(was.kind, (journal.at - was.since) / 1000);
    }
  };
  return { onCommit, countRunning: () => began.size };
}

/** Times every commit of the store, from now on. `now`: ms that only go up. */
export function timeCommits(
  store: Pick<DurableStore, 'commit'>,
  observer: Pick<ProcessObserver, 'noteCommit'>,
  now: () => number,
): void {
  const commit = store.commit.bind(store);
  store.commit = (batch, overlap) => {
    const began = now();
    const seconds = () => (now() - began) / 1000;
    let result: ReturnType<typeof commit>;
    try {
      result = commit(batch, overlap);
    } catch (error) {
      observer.noteCommit('failed', seconds());
      throw error;
    }
    if (result === undefined) observer.noteCommit('ok', seconds());
    else
      result.then(
        () => observer.noteCommit('ok', seconds()),
        () => observer.noteCommit('failed', seconds()),
      );
    return result;
  };
}

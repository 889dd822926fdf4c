import type { JobContext } from '../../machines/index.ts';
import type { Batch } from '../../src/kernel/writer.ts';
import type { Tables } from '../../src/contract/records/tables.ts';
import type { Invariant } from './invariants.ts';
import type { World } from './world.ts';

type Mapping = Tables['pr_mappings'];

/** The context of each job as the last commit has left it, by world. */
const LAST = new WeakMap<World, Map<string, JobContext>>();

/** The work items that a pull request belongs to, as its row and the items themselves say. */
const findItems = ({ workItems }: JobContext, { work_item, pr_id }: Mapping): string[] =>
  workItems
    .filter(({ id, prIds }) => id === work_item || prIds.includes(pr_id))
    .map(({ id }) => id);

/** The other pull requests that keep a merge of this one from leading forward. */
function findOpenBeside(context: JobContext, merged: Mapping, all: readonly Mapping[]): Mapping[] {
  const others = all.filter(({ number, state }) => state === 'open' && number !== merged.number);
  const items = findItems(context, merged);
  if (items.length === 0) return others;
  return others.filter((other) => findItems(context, other).some((id) => items.includes(id)));
}

/** What led a job past the wait that it had begun, or was about to begin; undefined = nothing did. */
function readWait(
  before: JobContext,
  now: JobContext,
  event: Batch['journal'][number]['event'],
): { named: string | null; merged: string | undefined } | undefined {
  const { awaited, signals } = before;
  if (awaited !== null) {
    const isForward = awaited.forward === 'last-merge' && awaited.after !== awaited.from;
    const isPast = now.awaited === null && now.phase === awaited.after;
    const { prId } = (event.type === 'forge.event' ? event.event : {}) as { prId?: string };
    return prId !== undefined && isForward && isPast
      ? { named: awaited.prId, merged: prId }
      : undefined;
  }
  const wait = signals.await;
  if (!wait || wait.resumePhase !== null || wait.external !== undefined) return undefined;
  const { escalate, goto, switch: switched } = signals;
  const isAlone = escalate === null && goto === null && switched === null;
  const isOver = event.type === 'session.ended' && now.awaited === null && !now.signals.await;
  return isAlone && isOver && now.phase !== before.phase
    ? { named: wait.prId, merged: undefined }
    : undefined;
}

/** What is true of merges after each commit. */
export const MERGES: readonly Invariant<[Batch]>[] = [
  {
    sentence:
      'a merge leads a job forward only when no other open pull request belongs to the same work item, or to the job where it has none',
    broken: (world, { actors, journal }) => {
      const last = LAST.get(world) ?? new Map<string, JobContext>();
      LAST.set(world, last);
      return actors.flatMap(({ id, snapshot }) => {
        const { context: now } = JSON.parse(snapshot) as { context: JobContext };
        const before = last.get(id);
        last.set(id, now);
        const event = journal.find(({ actor }) => actor === id)?.event;
        const wait = before && event && readWait(before, now, event);
        if (wait === undefined) return [];
        world.counts.forward += 1;
        const all = world.store.rows.all('pr_mappings', { job_id: id });
        const merged = all
          .filter(({ state }) => state === 'merged')
          .filter((pr) => wait.merged === undefined || pr.pr_id === wait.merged);
        const isRight = merged.some(
          (pr) => pr.pr_id === wait.named || findOpenBeside(now, pr, all).length === 0,
        );
        return isRight
          ? []
          : [`${id} is in ${now.phase}: ${JSON.stringify(wait)}, ${JSON.stringify(all)}`];
      });
    },
  },
];

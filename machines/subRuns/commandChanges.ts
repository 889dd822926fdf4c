import { isRunning, type Mark, markAt, withMarks } from './graph.ts';
import { by, type Effect, line, marked, type Outcome, patch, positionOf, type SubRunsChange } from './outcome.ts';
import { revivedBy } from './readySet.ts';
import type { SubRunsContext } from './subRunsContext.ts';
import type { SubRunsEventOf } from './subRunsEvents.ts';

type Ending = SubRunsEventOf<'subRuns.skip' | 'subRuns.cancel'>;

const reasonOf = (word: string, { reason, by: who }: Pick<Ending, 'reason' | 'by'>): string =>
  `${word} by ${who}${reason === null ? '' : `: ${reason}`}`;

/** What has a job is told to stop and counts as ended when its job has; what has none ends at once. */
function end(context: SubRunsContext, event: Ending, how: { word: string; running: Mark; ended: Mark; status: string }): Outcome {
  const { name } = event;
  const { graph, parentJobId } = context;
  const n = positionOf(context, name);
  const reason = reasonOf(how.word, event);
  const said = line(context, event, `${name} is ${reason}`);
  if (!isRunning(markAt(graph, n))) {
    return {
      context: marked(context, n, how.ended),
      effects: [patch(context, name, { status: how.status, reason, completedAt: event.at }), said],
    };
  }
  return {
    context: marked(context, n, how.running),
    effects: [
      patch(context, name, { reason }),
      { type: 'subRun.stop', params: { parentJobId, name, attempt: graph.attempts[n] ?? 1, reason } },
      said,
    ],
  };
}

/** Changes that people, or the parent's agent for them, bring about. */
export const commandChanges = {
  skip: by(['subRuns.skip'], (context, event) =>
    end(context, event, { word: 'skipped', running: 'k', ended: 's', status: 'skipped' }),
  ),
  cancel: by(['subRuns.cancel'], (context, event) =>
    end(context, event, { word: 'cancelled', running: 'x', ended: 'f', status: 'failed' }),
  ),
  rerun: by(['subRuns.rerun'], (context, event) => {
    const { graph } = context;
    const n = positionOf(context, event.name);
    const revived = revivedBy(graph, n);
    const attempt = (graph.attempts[n] ?? 1) + 1;
    const again = { status: 'pending', reason: null, completedAt: null };
    const effects: Effect[] = [
      patch(context, event.name, {
        ...{ ...again, attempt, jobId: null, startedAt: null },
        ...(event.params === null ? {} : { params: event.params }),
      }),
      ...revived.map((other) => patch(context, graph.names[other] ?? '', again)),
      line(context, event, `${event.name} is to be run again (attempt ${attempt}), as ${reasonOf('asked', event)}`),
    ];
    const pending = new Map([n, ...revived].map((position): [number, Mark] => [position, 'p']));
    return {
      context: { graph: { ...withMarks(graph, pending), attempts: graph.attempts.with(n, attempt) } },
      effects,
    };
  }),
} satisfies Record<string, SubRunsChange>;

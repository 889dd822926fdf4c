import type { SubRunStatus } from '../../src/schema/subRun.ts';
import { hasJob, isAccepted, isBroken, type Mark, markAt, withMarks } from './graph.ts';
import {
  by,
  type Effect,
  line,
  marked,
  patch,
  positionOf,
  type SubRunsChange,
  type SubRunsOutcome,
} from './outcome.ts';
import { brokenBefore, recalledBy, revivedBy } from './readySet.ts';
import type { SubRunsContext } from './subRunsContext.ts';
import type { SubRunsEventOf } from './subRunsEvents.ts';

type Ending = SubRunsEventOf<'subRuns.skip' | 'subRuns.cancel'>;

const reasonOf = (word: string, { reason, by: who }: Pick<Ending, 'reason' | 'by'>): string =>
  `${word} by ${who}${reason === null ? '' : `: ${reason}`}`;

/**
 * A sub-run with a job is asked to stop and counts as ended when its job has; one without a job
 * ends immediately.
 */
function end(
  context: SubRunsContext,
  event: Ending,
  how: { word: string; running: Mark; ended: Mark; status: SubRunStatus },
): SubRunsOutcome {
  const { name } = event;
  const { graph, parentJobId } = context;
  const n = positionOf(context, name);
  const reason = reasonOf(how.word, event);
  const said = line(context, event, `${name} is ${reason}`);
  if (!hasJob(markAt(graph, n))) {
    return {
      context: marked(context, n, how.ended),
      effects: [patch(context, name, { status: how.status, reason, completedAt: event.at }), said],
    };
  }
  return {
    context: marked(context, n, how.running),
    effects: [
      patch(context, name, { reason }),
      {
        type: 'subRun.stop',
        params: { parentJobId, name, attempt: graph.attempts[n] ?? 1, reason },
      },
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
  /**
   * One that waits for a failure which no one decides about runs again together with that: alone it
   * would be skipped immediately.
   */
  rerun: by(['subRuns.rerun'], (context, event) => {
    const { graph, agentReruns, policy } = context;
    const asked = positionOf(context, event.name);
    const again = [
      asked,
      ...brokenBefore(graph, asked, policy === 'continue' ? isBroken : isAccepted),
    ];
    const waiting = [...revivedBy(graph, again), ...recalledBy(graph, again)];
    const attempts = [...graph.attempts];
    const pending = { status: 'pending', reason: null, completedAt: null } as const;
    const effects: Effect[] = [];
    for (const n of again) {
      const name = graph.names[n] ?? '';
      const attempt = (attempts[n] ?? 1) + 1;
      attempts[n] = attempt;
      effects.push(
        patch(context, name, {
          ...pending,
          attempt,
          jobId: null,
          startedAt: null,
          ...(n === asked && event.params !== null ? { params: event.params } : {}),
        }),
        line(
          context,
          event,
          `${name} is to be run again (attempt ${attempt}), as ${reasonOf('asked', event)}`,
        ),
      );
    }
    for (const n of waiting) effects.push(patch(context, graph.names[n] ?? '', pending));
    const marks = new Map([...again, ...waiting].map((n): [number, Mark] => [n, 'p']));
    return {
      context: {
        graph: { ...withMarks(graph, marks), attempts },
        ...(event.by === 'agent' ? { agentReruns: [...new Set([...agentReruns, ...again])] } : {}),
      },
      effects,
    };
  }),
} satisfies Record<string, SubRunsChange>;

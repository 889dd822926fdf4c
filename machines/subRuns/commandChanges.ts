import type { SubRunStatus } from '../../src/schema/subRun.ts';
import { hasJob, isAccepted, isBroken, type Mark, markAt, statusOf, withMarks } from './graph.ts';
import {
  accepted,
  by,
  type Effect,
  line,
  marked,
  patch,
  positionOf,
  type SubRunsChange,
  type SubRunsOutcome,
} from './outcome.ts';
import type { SubRunPatch } from './subRunRows.ts';
import { brokenBefore, recalledBy, revivedBy } from './readySet.ts';
import type { SubRunsContext } from './subRunsContext.ts';
import type { SubRunsEventOf } from './subRunsEvents.ts';

type Ending = SubRunsEventOf<'subRuns.skip' | 'subRuns.cancel'>;

/** What has no job yet waits for its turn again. */
const UNBEGUN = 'prwdu';

const without = (
  { skippedFrom = {} }: SubRunsContext,
  positions: readonly number[],
): Readonly<Record<string, Mark>> =>
  Object.fromEntries(Object.entries(skippedFrom).filter(([n]) => !positions.includes(Number(n))));

const reasonOf = (word: string, { reason, by: who }: Pick<Ending, 'reason' | 'by'>): string =>
  `${word} by ${who}${reason === null ? '' : `: ${reason}`}`;

/**
 * A sub-run with a job is asked to stop and counts as ended when its job has; one without a job
 * ends immediately.
 */
function end(
  context: SubRunsContext,
  event: Ending,
  how: { word: string; running: Mark; ended: Mark; status: SubRunStatus; more?: SubRunPatch },
): Required<SubRunsOutcome> {
  const { name } = event;
  const { graph, parentJobId } = context;
  const n = positionOf(context, name);
  const reason = reasonOf(how.word, event);
  const said = line(context, event, `${name} is ${reason}`);
  if (!hasJob(markAt(graph, n))) {
    return {
      context: marked(context, n, how.ended),
      effects: [
        patch(context, name, {
          status: how.status,
          reason,
          completedAt: event.at,
          ...how.more,
        }),
        said,
      ],
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
  skip: by(['subRuns.skip'], (context, event) => {
    const { graph, skippedFrom } = context;
    const n = positionOf(context, event.name);
    const was = markAt(graph, n);
    const ended = end(context, event, {
      word: 'skipped',
      running: 'k',
      ended: 's',
      status: 'skipped',
      more: { beforeSkip: event.was ?? { reason: null, completedAt: null } },
    });
    // A job that is being stopped does not come back: running it again is a rerun.
    if (hasJob(was)) return ended;
    return {
      context: { ...ended.context, skippedFrom: { ...skippedFrom, [n]: was } },
      effects: ended.effects,
    };
  }),
  /** Takes a skip back: the sub-run is what it was. */
  unskip: by(['subRuns.unskip'], (context, event) => {
    const { graph, skippedFrom } = context;
    const { name, was } = event;
    const n = positionOf(context, name);
    const before = skippedFrom?.[n] ?? 'p';
    const mark = UNBEGUN.includes(before) ? 'p' : before;
    const waiting = recalledBy(graph, [n]);
    const marks = new Map<number, Mark>([[n, mark]]);
    for (const position of waiting) marks.set(position, 'p');
    const ended =
      mark === 'p'
        ? { reason: null, completedAt: null }
        : { reason: was?.reason ?? statusOf(mark), completedAt: was?.completedAt ?? event.at };
    return {
      context: { graph: withMarks(graph, marks), skippedFrom: without(context, [n]) },
      effects: [
        patch(context, name, { status: statusOf(mark), beforeSkip: null, ...ended }),
        ...waiting.map((other) =>
          patch(context, graph.names[other] ?? '', { status: 'pending', reason: null }),
        ),
        line(context, event, `${name} is ${statusOf(mark)} again: ${reasonOf('unskipped', event)}`),
      ],
    };
  }),
  /**
   * One that has failed already stays so: the campaign continues in spite of it, without what
   * depends on it.
   */
  cancel: by(['subRuns.cancel'], (context, event) => {
    const n = positionOf(context, event.name);
    const mark = markAt(context.graph, n);
    if (mark !== 'f' && mark !== 'e') {
      return end(context, event, {
        word: 'cancelled',
        running: 'x',
        ended: 'f',
        status: 'failed',
      });
    }
    return {
      context: marked(context, n, mark === 'f' ? 'F' : 'E'),
      effects: [
        ...(event.jobId ? accepted(context, event, { job_id: event.jobId }) : []),
        line(
          context,
          event,
          `${event.name} stays ${statusOf(mark)}, ${reasonOf('accepted', event)}`,
        ),
      ],
    };
  }),
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
          beforeSkip: null,
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
        skippedFrom: without(context, again),
        ...(event.by === 'agent' ? { agentReruns: [...new Set([...agentReruns, ...again])] } : {}),
      },
      effects,
    };
  }),
} satisfies Record<string, SubRunsChange>;

import type { SubRunStatus } from '../../src/contract/schema/job/subRun.ts';
import {
  isMarkWithJob,
  isAcceptedMark,
  isBrokenMark,
  type Mark,
  readMark,
  toSubRunStatus,
  setMarks,
} from './graph.ts';
import {
  dismissFailureAsks,
  onSubRunsEvent,
  type Effect,
  createCampaignLogEffect,
  markSubRun,
  patchSubRun,
  requirePosition,
  type SubRunsChange,
  type SubRunsOutcome,
} from './subRunEffects.ts';
import type { SubRunPatch } from './subRunRows.ts';
import { findFailuresBefore, findRecalledSubRuns, findRevivedSubRuns } from './advanceCampaign.ts';
import type { SubRunsContext } from './subRunsContext.ts';
import type { SubRunsEventOf } from './subRunsEvents.ts';

type Ending = SubRunsEventOf<'subRuns.skip' | 'subRuns.cancel'>;

/** Marks without a job; these wait for their turn again. */
const UNBEGUN = 'prwdu';

const dropSkips = (
  { skippedFrom = {} }: SubRunsContext,
  positions: readonly number[],
): Readonly<Record<string, Mark>> =>
  Object.fromEntries(Object.entries(skippedFrom).filter(([n]) => !positions.includes(Number(n))));

const formatCommandReason = (
  word: string,
  { reason, by: who }: Pick<Ending, 'reason' | 'by'>,
): string => `${word} by ${who}${reason === null ? '' : `: ${reason}`}`;

/** Asks a sub-run's job to stop and counts its end; without a job it ends at once. */
function endSubRun(
  context: SubRunsContext,
  event: Ending,
  how: { word: string; running: Mark; ended: Mark; status: SubRunStatus; more?: SubRunPatch },
): Required<SubRunsOutcome> {
  const { name } = event;
  const { graph, parentJobId } = context;
  const n = requirePosition(context, name);
  const reason = formatCommandReason(how.word, event);
  const effect = createCampaignLogEffect(context, event, `${name} is ${reason}`);
  if (!isMarkWithJob(readMark(graph, n))) {
    return {
      context: markSubRun(context, n, how.ended),
      effects: [
        patchSubRun(context, name, {
          status: how.status,
          reason,
          completedAt: event.at,
          ...how.more,
        }),
        effect,
      ],
    };
  }
  return {
    context: markSubRun(context, n, how.running),
    effects: [
      patchSubRun(context, name, { reason }),
      {
        type: 'subRun.stop',
        params: { parentJobId, name, attempt: graph.attempts[n] ?? 1, reason },
      },
      effect,
    ],
  };
}

export const commandChanges = {
  skip: onSubRunsEvent(['subRuns.skip'], (context, event) => {
    const { graph, skippedFrom } = context;
    const n = requirePosition(context, event.name);
    const was = readMark(graph, n);
    const outcome = endSubRun(context, event, {
      word: 'skipped',
      running: 'k',
      ended: 's',
      status: 'skipped',
      more: { beforeSkip: event.was ?? { reason: null, completedAt: null } },
    });
    // A job that is being stopped does not continue; running it again is a rerun.
    if (isMarkWithJob(was)) return outcome;
    return {
      context: { ...outcome.context, skippedFrom: { ...skippedFrom, [n]: was } },
      effects: outcome.effects,
    };
  }),
  /** Undoes a skip: the sub-run has its earlier mark again. */
  unskip: onSubRunsEvent(['subRuns.unskip'], (context, event) => {
    const { graph, skippedFrom } = context;
    const { name, was } = event;
    const n = requirePosition(context, name);
    const before = skippedFrom?.[n] ?? 'p';
    const mark = UNBEGUN.includes(before) ? 'p' : before;
    const waiting = findRecalledSubRuns(graph, [n]);
    const marks = new Map<number, Mark>([[n, mark]]);
    for (const position of waiting) marks.set(position, 'p');
    const endFields =
      mark === 'p'
        ? { reason: null, completedAt: null }
        : {
            reason: was?.reason ?? toSubRunStatus(mark),
            completedAt: was?.completedAt ?? event.at,
          };
    return {
      context: { graph: setMarks(graph, marks), skippedFrom: dropSkips(context, [n]) },
      effects: [
        patchSubRun(context, name, {
          status: toSubRunStatus(mark),
          beforeSkip: null,
          ...endFields,
        }),
        ...waiting.map((other) =>
          patchSubRun(context, graph.names[other] ?? '', { status: 'pending', reason: null }),
        ),
        createCampaignLogEffect(
          context,
          event,
          `${name} is ${toSubRunStatus(mark)} again: ${formatCommandReason('unskipped', event)}`,
        ),
      ],
    };
  }),
  /** A failed sub-run stays failed: the campaign continues without what depends on it. */
  cancel: onSubRunsEvent(['subRuns.cancel'], (context, event) => {
    const n = requirePosition(context, event.name);
    const mark = readMark(context.graph, n);
    if (mark !== 'f' && mark !== 'e') {
      return endSubRun(context, event, {
        word: 'cancelled',
        running: 'x',
        ended: 'f',
        status: 'failed',
      });
    }
    return {
      context: markSubRun(context, n, mark === 'f' ? 'F' : 'E'),
      effects: [
        ...(event.jobId ? dismissFailureAsks(context, event, { job_id: event.jobId }) : []),
        createCampaignLogEffect(
          context,
          event,
          `${event.name} stays ${toSubRunStatus(mark)}, ${formatCommandReason('accepted', event)}`,
        ),
      ],
    };
  }),
  /** Reruns a sub-run with the undecidable failures it waits for: else it would be skipped. */
  rerun: onSubRunsEvent(['subRuns.rerun'], (context, event) => {
    const { graph, agentReruns, policy } = context;
    const position = requirePosition(context, event.name);
    const again = [
      position,
      ...findFailuresBefore(graph, position, policy === 'continue' ? isBrokenMark : isAcceptedMark),
    ];
    const waiting = [...findRevivedSubRuns(graph, again), ...findRecalledSubRuns(graph, again)];
    const attempts = [...graph.attempts];
    const pending = { status: 'pending', reason: null, completedAt: null } as const;
    const effects: Effect[] = [];
    for (const n of again) {
      const name = graph.names[n] ?? '';
      const attempt = (attempts[n] ?? 1) + 1;
      attempts[n] = attempt;
      effects.push(
        patchSubRun(context, name, {
          ...pending,
          attempt,
          jobId: null,
          startedAt: null,
          beforeSkip: null,
          ...(n === position && event.params !== null ? { params: event.params } : {}),
        }),
        createCampaignLogEffect(
          context,
          event,
          `${name} is to be run again (attempt ${attempt}), as ${formatCommandReason('asked', event)}`,
        ),
      );
    }
    for (const n of waiting) effects.push(patchSubRun(context, graph.names[n] ?? '', pending));
    const marks = new Map([...again, ...waiting].map((n): [number, Mark] => [n, 'p']));
    return {
      context: {
        graph: { ...setMarks(graph, marks), attempts },
        skippedFrom: dropSkips(context, again),
        ...(event.by === 'agent' ? { agentReruns: [...new Set([...agentReruns, ...again])] } : {}),
      },
      effects,
    };
  }),
} satisfies Record<string, SubRunsChange>;

import type { ProviderEvent, PrState } from '../../../src/contract/schema/forge/pr.ts';
import type { EventWait } from '../eventWait.ts';
import type { JobContext, PrRef, Signals } from '../jobContext.ts';
import type { UnreadInbox } from '../unreadInbox.ts';
import { needsApproval } from './checkpoints.ts';
import { toEventKey } from './eventKey.ts';
import { hasOpenCheckpoint, findNextPhase, findPhase } from './phases.ts';
import { listWorkItemPrs } from './completionGate.ts';

export type OwnPrs = Pick<JobContext, 'prs' | 'workItems'>;

/** Other open pull requests of the same work items; without any, all others of the job. */
function listOpenPrsBeside(prId: string, { prs, workItems }: OwnPrs): PrRef[] {
  const others = prs.filter((pr) => pr.prId !== prId && pr.state === 'open');
  const own = prs.filter((pr) => pr.prId === prId);
  const items = workItems.filter((item) => listWorkItemPrs(item, own).length > 0);
  if (items.length === 0) return others;
  return others.filter((pr) => items.some((item) => listWorkItemPrs(item, [pr]).length > 0));
}

/** Kinds after which no more news comes unless reopened. Only a merge may lead forward. */
export const isPrEnd = (kind: string): kind is 'merged' | 'closed' =>
  kind === 'merged' || kind === 'closed';

/** Whether an event of this kind changes the state of a pull request. */
export const isPrStateChange = (kind: string | null): kind is 'merged' | 'closed' | 'reopened' =>
  kind !== null && (isPrEnd(kind) || kind === 'reopened');

/** The state after an event of this kind; a merge is final. */
export const derivePrState = (before: PrState, kind: string): PrState => {
  if (before === 'merged') return before;
  if (isPrEnd(kind)) return kind;
  return kind === 'reopened' ? 'open' : before;
};

export const applyPrEvent = (
  prs: readonly PrRef[],
  { prId, kind }: Pick<ProviderEvent, 'prId' | 'kind'>,
): PrRef[] =>
  prs.map((pr) => {
    const state = derivePrState(pr.state, kind);
    return pr.prId === prId && pr.state !== state ? { ...pr, state } : pr;
  });

/**
 * Whether the decision layer may hold such an event back: comments only. Decisions of people and
 * ends of pull requests always wake.
 */
export const isHoldable = (kind: string): boolean =>
  kind === 'commented' || kind === 'review_thread';

/** Whether an event stays in the inbox until something else wakes the job. */
export const isHeldEvent = ({
  event: { kind },
  held,
}: {
  event: Pick<ProviderEvent, 'kind'>;
  held?: true;
}): boolean => held === true && isHoldable(kind);

/** Whether an event wakes a job with this wait, held or not. */
export const wouldWake = (
  job: Pick<JobContext, 'awaited' | 'prs' | 'workItems'>,
  event: Pick<ProviderEvent, 'kind' | 'prId'>,
): boolean => findWokenPhase(job, event) !== null;

/** The phase that an event wakes; null = it does not wake the job. */
export const findWokenPhase = (
  { awaited, prs, workItems }: Pick<JobContext, 'awaited' | 'prs' | 'workItems'>,
  event: Pick<ProviderEvent, 'kind' | 'prId'>,
): string | null =>
  awaited === null
    ? null
    : matchAwaitedEvent(awaited, event, { prs: applyPrEvent(prs, event), workItems });

/** Reported whenever the checks are green: it wakes only jobs that asked for it by name. */
const BY_NAME_ONLY = 'check_passed';

/** Whether such an event wakes a job that awaits these kinds; null = all but green checks. */
export const mayWakeBy = (kinds: readonly string[] | null, kind: string): boolean =>
  kinds === null ? kind !== BY_NAME_ONLY : kinds.includes(kind);

const isAwaitedKind = ({ kinds }: EventWait, kind: string): boolean => mayWakeBy(kinds, kind);

/** Whether all pull requests are merged or closed; false if none exist. */
const hasOnlyEndedPrs = (prs: readonly PrRef[]): boolean =>
  prs.length > 0 && prs.every(({ state }) => isPrEnd(state));

/**
 * Whether the end of a pull request leads forward: a merge that is awaited by name, or whose work
 * item has no other open pull request. Without `forward` every merge and close does (a wait with
 * resumePhase, or one begun by svc 0.2).
 */
function isForwardEnd(
  eventWait: EventWait,
  { kind, prId }: Pick<ProviderEvent, 'kind' | 'prId'>,
  ownPrs: OwnPrs,
): boolean {
  if (!isPrEnd(kind)) return false;
  if (eventWait.forward !== 'last-merge') return true;
  return (
    kind === 'merged' && (prId === eventWait.prId || listOpenPrsBeside(prId, ownPrs).length === 0)
  );
}

/**
 * The phase that an event wakes; null = none. `ownPrs`: the pull requests after the event. The end
 * of the last open one always wakes the job, which would else wait forever.
 */
export function matchAwaitedEvent(
  eventWait: EventWait,
  event: Pick<ProviderEvent, 'kind' | 'prId'>,
  ownPrs: OwnPrs,
): string | null {
  const { kind } = event;
  if (!isAwaitedKind(eventWait, kind) && !(isPrEnd(kind) && hasOnlyEndedPrs(ownPrs.prs)))
    return null;
  return isForwardEnd(eventWait, event, ownPrs) ? eventWait.after : eventWait.from;
}

interface PrEnd {
  prId: string;
  kind: 'merged' | 'closed';
}

/**
 * Merges and closes that no agent was given yet and that still hold. Those received by svc 0.2 name
 * no pull request, so each one in this state counts.
 */
function listUnreadEnds({ kinds, over }: UnreadInbox, prs: readonly PrRef[]): PrEnd[] {
  if (over !== undefined)
    return prs.flatMap(({ prId, state }) =>
      isPrEnd(state) && over.includes(prId) ? [{ prId, kind: state }] : [],
    );
  return kinds.filter(isPrEnd).flatMap((kind): PrEnd[] => {
    const those = prs.filter(({ state }) => state === kind);
    return those.length === 0 ? [{ prId: '', kind }] : those.map(({ prId }) => ({ prId, kind }));
  });
}

/**
 * The phase woken by what came before the job could wait: an unread event, a message, or a merged
 * pull request awaited by name, whatever kinds are awaited, since it brings no more news. Null =
 * the job must wait. A merge that leads forward comes first, then other ends: they come only once,
 * so a job sent back for something else might wait for them forever.
 */
export function findEarlierWake(
  eventWait: EventWait,
  unread: UnreadInbox,
  ownPrs: OwnPrs,
): { phase: string; by: string } | null {
  const { prs } = ownPrs;
  const awaitedPrId = eventWait.external === undefined ? eventWait.prId : null;
  const unreadOver = listUnreadEnds(unread, prs);
  const heardItems = unreadOver.filter(
    ({ kind }) => isAwaitedKind(eventWait, kind) || hasOnlyEndedPrs(prs),
  );
  const isForward = (end: PrEnd): boolean => isForwardEnd(eventWait, end, ownPrs);
  const namedOver = prs.flatMap(({ prId, state }): PrEnd[] =>
    prId === awaitedPrId && isPrEnd(state) ? [{ prId, kind: state }] : [],
  );
  const forward = heardItems.find(isForward) ?? namedOver.find(isForward);
  if (forward) return { phase: eventWait.after, by: toEventKey(forward.kind) };
  const kinds = unread.kinds.filter((kind) => isAwaitedKind(eventWait, kind));
  const back =
    heardItems[0]?.kind ?? unreadOver.find(({ prId }) => prId === awaitedPrId)?.kind ?? kinds[0];
  if (back !== undefined) return { phase: eventWait.from, by: toEventKey(back) };
  return unread.messages > 0 ? { phase: eventWait.from, by: 'message' } : null;
}

/**
 * The wait after await_event, and the phase and status shown meanwhile (those of an agentless next
 * phase, else null = unchanged). If the current phase needs approval, an event may wake only that
 * phase; its choice for after a merge is kept for the approval.
 */
export function deriveEventWait(
  context: Pick<JobContext, 'workflow' | 'params' | 'approvals' | 'phase'>,
  request: NonNullable<Signals['await']>,
): { awaited: EventWait; shown: { phase: string; status: string } | null } {
  const { workflow, params, phase: current } = context;
  const isHeld = needsApproval(context);
  const next = findNextPhase(workflow, current);
  const waiting = !isHeld && next?.agent === null ? next : undefined;
  // The event passes a phase that only waits, unless it has its own checkpoint.
  const nextPhase =
    waiting && !hasOpenCheckpoint(waiting, params)
      ? (findNextPhase(workflow, waiting.name) ?? waiting)
      : waiting;
  const after = nextPhase ?? next ?? findPhase(workflow, current);
  return {
    awaited: {
      kinds: request.kinds,
      prId: request.prId,
      from: isHeld ? current : (request.resumePhase ?? current),
      after: request.resumePhase ?? after?.name ?? current,
      ...(request.resumePhase === null ? { forward: 'last-merge' as const } : {}),
      ...(request.external === undefined ? {} : { external: request.external }),
      ...(request.followed === undefined ? {} : { followed: request.followed }),
    },
    shown: waiting ? { phase: waiting.name, status: waiting.status } : null,
  };
}

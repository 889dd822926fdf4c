import type { ProviderEvent } from '../../../src/schema/pr.ts';
import type { Awaited, JobContext, PrRef, Signals, Unread } from '../jobContext.ts';
import { needsApproval } from './checkpoints.ts';
import { eventKeyOf } from './eventKey.ts';
import { holdsForApproval, nextPhase, phaseNamed } from './phases.ts';

/**
 * Kinds after which a pull request brings no more news of its own: they wake the phase after the
 * one that awaited.
 */
export const isOver = (kind: string): kind is 'merged' | 'closed' =>
  kind === 'merged' || kind === 'closed';

/**
 * The pull requests once an event of one of them is known: merged and closed are its last state.
 */
export const afterNews = (
  prs: readonly PrRef[],
  { prId, kind }: Pick<ProviderEvent, 'prId' | 'kind'>,
): PrRef[] => prs.map((pr) => (pr.prId === prId && isOver(kind) ? { ...pr, state: kind } : pr));

/**
 * Whether the decision layer may keep an event of this kind from waking a job: comments only. A
 * decision of a person, and the end of a pull request, always wake.
 */
export const isHoldable = (kind: string): boolean =>
  kind === 'commented' || kind === 'review_thread';

/** Whether an event stays in the inbox until something else wakes the job. */
export const isHeld = ({
  event: { kind },
  held,
}: {
  event: Pick<ProviderEvent, 'kind'>;
  held?: true;
}): boolean => held === true && isHoldable(kind);

/** Whether a job that awaits this is woken by an event, held or not. */
export const wouldWake = (
  { awaited, prs }: { awaited: Awaited | null; prs: readonly PrRef[] },
  event: Pick<ProviderEvent, 'kind' | 'prId'>,
): boolean => awaited !== null && wakeMatch(awaited, event.kind, afterNews(prs, event)) !== null;

/** Reported each time the checks are green: it wakes only jobs that asked for it by name. */
const BY_NAME_ONLY = 'check_passed';

/**
 * Whether an event of this kind wakes a job that awaits these kinds; null = every kind but green
 * checks.
 */
export const mayWakeBy = (kinds: readonly string[] | null, kind: string): boolean =>
  kinds === null ? kind !== BY_NAME_ONLY : kinds.includes(kind);

const matches = ({ kinds }: Awaited, kind: string): boolean => mayWakeBy(kinds, kind);

/**
 * Whether all pull requests are merged or closed, so that no more news come from them; false if the
 * job has none.
 */
const noneOpen = (prs: readonly PrRef[]): boolean =>
  prs.length > 0 && prs.every(({ state }) => isOver(state));

/**
 * The phase that an event of this kind wakes; null = it does not wake the job. `prs`: its pull
 * requests after the event, default none. The end of the last open one wakes it whatever kinds are
 * awaited: it would wait forever.
 */
export function wakeMatch(
  awaited: Awaited,
  kind: string,
  prs: readonly PrRef[] = [],
): string | null {
  if (!matches(awaited, kind) && !(isOver(kind) && noneOpen(prs))) return null;
  return isOver(kind) ? awaited.after : awaited.from;
}

/**
 * The phase that is woken by what came before the job could wait: an event that no agent was given
 * yet, a message, or a pull request awaited by name that is merged or closed already, whatever
 * kinds are awaited: it gets no more news. Null = the job has to wait. Merged and closed go first:
 * they come once, and a job sent back for something else might then wait for them forever.
 */
export function wakeAlready(
  awaited: Awaited,
  unread: Unread,
  prs: readonly PrRef[],
): { phase: string; by: string } | null {
  const kinds = unread.kinds.filter((kind) => matches(awaited, kind));
  const over = kinds.find(isOver) ?? (noneOpen(prs) ? unread.kinds.find(isOver) : undefined);
  if (over) return { phase: awaited.after, by: eventKeyOf(over) };
  const named = awaited.external === undefined ? awaited.prId : null;
  const state = prs.find(({ prId }) => prId === named)?.state ?? 'open';
  if (isOver(state)) return { phase: awaited.after, by: eventKeyOf(state) };
  const [first] = kinds;
  if (first) return { phase: awaited.from, by: eventKeyOf(first) };
  return unread.messages > 0 ? { phase: awaited.from, by: 'message' } : null;
}

/**
 * What an await_event results in: what is awaited, and the phase and status that are shown
 * meanwhile (those of the next phase when it has no agent, else null = as they are). A phase that
 * waits for approval is the only one that an event may wake; what it asked to follow after a merge
 * is kept for the approval.
 */
export function awaitedFrom(
  context: Pick<JobContext, 'workflow' | 'params' | 'approvals' | 'phase'>,
  asked: NonNullable<Signals['await']>,
): { awaited: Awaited; shown: { phase: string; status: string } | null } {
  const { workflow, params, phase: current } = context;
  const held = needsApproval(context);
  const next = nextPhase(workflow, current);
  const waiting = !held && next?.agent === null ? next : undefined;
  // A phase that only waits is passed by the event, unless it has a checkpoint of its own.
  const passed =
    waiting && !holdsForApproval(waiting, params)
      ? (nextPhase(workflow, waiting.name) ?? waiting)
      : waiting;
  const after = passed ?? next ?? phaseNamed(workflow, current);
  return {
    awaited: {
      kinds: asked.kinds,
      prId: asked.prId,
      from: held ? current : (asked.resumePhase ?? current),
      after: asked.resumePhase ?? after?.name ?? current,
      ...(asked.external === undefined ? {} : { external: asked.external }),
      ...(asked.followed === undefined ? {} : { followed: asked.followed }),
    },
    shown: waiting ? { phase: waiting.name, status: waiting.status } : null,
  };
}

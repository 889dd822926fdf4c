import type { WorkflowTable } from '../../src/schema/workflow.ts';
import type { Awaited, PrRef, Signals, Unread } from '../jobContext.ts';
import { nextPhase, phaseNamed } from './phases.ts';

/** Kinds after which a pull request brings no more news of its own: they wake the phase after the one that awaited. */
export const isOver = (kind: string): kind is 'merged' | 'closed' => kind === 'merged' || kind === 'closed';

const matches = ({ kinds }: Awaited, kind: string): boolean => kinds === null || kinds.includes(kind);

/** The phase that an event of this kind wakes; null = it does not wake the job. */
export function wakeMatch(awaited: Awaited, kind: string): string | null {
  if (!matches(awaited, kind)) return null;
  return isOver(kind) ? awaited.after : awaited.from;
}

/**
 * The phase that is woken by what came before the job could wait: an event that nobody was given yet, a message, or a
 * pull request awaited by name that is merged or closed already. Null = it has to wait. Merged and closed go first: they
 * come once, and a job sent back for something else might then wait for them for ever.
 */
export function wakeAlready(awaited: Awaited, unread: Unread, prs: readonly PrRef[]): { phase: string; by: string } | null {
  const kinds = unread.kinds.filter((kind) => matches(awaited, kind));
  const over = kinds.find(isOver);
  if (over) return { phase: awaited.after, by: `event:${over}` };
  const state = prs.find(({ prId }) => prId === awaited.prId)?.state ?? 'open';
  if (isOver(state) && matches(awaited, state)) return { phase: awaited.after, by: `event:${state}` };
  const [first] = kinds;
  if (first) return { phase: awaited.from, by: `event:${first}` };
  return unread.messages > 0 ? { phase: awaited.from, by: 'message' } : null;
}

/**
 * What an await_event in phase `current` comes to: what is waited for, and the phase and status that are shown meanwhile
 * (those of the next phase when it has no agent, else null = as they are).
 */
export function awaitedFrom(
  workflow: WorkflowTable,
  current: string,
  asked: NonNullable<Signals['await']>,
): { awaited: Awaited; shown: { phase: string; status: string } | null } {
  const next = nextPhase(workflow, current);
  const waiting = next?.agent === null ? next : undefined;
  const after = waiting ? (nextPhase(workflow, waiting.name) ?? waiting) : (next ?? phaseNamed(workflow, current));
  return {
    awaited: {
      kinds: asked.kinds,
      prId: asked.prId,
      from: asked.resumePhase ?? current,
      after: asked.resumePhase ?? after?.name ?? current,
    },
    shown: waiting ? { phase: waiting.name, status: waiting.status } : null,
  };
}

/** For people: what the job waits for. */
export function awaitedText({ kinds, prId }: Awaited): string {
  const what = kinds === null ? 'an event' : `an event (${kinds.join(' or ')})`;
  return `waits for ${what} on ${prId === null ? 'one of its pull requests' : `${prId} or another of its pull requests`}`;
}

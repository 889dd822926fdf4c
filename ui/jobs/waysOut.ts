import type { WhyReply } from '../../src/schema/replies.ts';

type WayOut = WhyReply['waysOut'][number];

/**
 * The ways out that a person wants to know of: those that lead somewhere, then those that only leave a note. What the
 * runner tells itself without a change of state is left out.
 */
export function waysOutOf(ways: readonly WayOut[]): WayOut[] {
  const byPeople = ({ from }: WayOut) => /developer/.test(from);
  const leads = ways.filter(({ target }) => target !== null);
  const notes = ways.filter((way) => way.target === null && way.open !== false && byPeople(way));
  return [...leads.filter(byPeople), ...leads.filter((way) => !byPeople(way)), ...notes];
}

/** A whole event of a kind, for what-if: with the members that the chart reads, which a person may then change. */
export function eventOf(type: string, phase: string): { type: string; [member: string]: unknown } {
  if (type === 'job.resume') return { type, eventKey: 'approve' };
  if (type === 'job.cancel') return { type, reason: null };
  if (type === 'job.message') return { type, id: 'what-if', author: 'developer', text: 'Go on.' };
  if (type === 'job.rerun') return { type, phase };
  return { type };
}

import type { WhyReply } from '../../../src/contract/schema/api/replies.ts';

type WayOut = WhyReply['waysOut'][number];

/**
 * The transitions that a person wants to know of: those that change the state, then those that only
 * leave a note. Internal events of the runner that change no state are left out.
 */
export function pickWaysOut(ways: readonly WayOut[]): WayOut[] {
  const byPeople = ({ from }: WayOut) => /developer/.test(from);
  const leads = ways.filter(({ target }) => target !== null);
  const notes = ways.filter((way) => way.target === null && way.open !== false && byPeople(way));
  return [...leads.filter(byPeople), ...leads.filter((way) => !byPeople(way)), ...notes];
}

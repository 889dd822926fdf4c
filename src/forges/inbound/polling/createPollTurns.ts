import type { PrAddress } from '../../../contract/forge/forge.ts';
import type { WatchedPrReader } from '../../../jobs/store/queries/watchedPrReader.ts';

/** Most pull requests that one poll of a forge asks about; where more are watched, polls take turns. */
export const MOST_POLLED = 5_000;

/**
 * Picks the pull requests of a forge that the next poll asks about: all that are watched or, where
 * there are too many for one poll, those after the ones of the poll before.
 */
export function createPollTurns(
  prs: Pick<WatchedPrReader, 'page'>,
  most = MOST_POLLED,
): (forge: string) => PrAddress[] {
  const last = new Map<string, PrAddress>();
  return (forge) => {
    const after = last.get(forge) ?? null;
    const following = prs.page(forge, after, most);
    const page = following.length === 0 && after !== null ? prs.page(forge, null, most) : following;
    const end = page.length === most ? page.at(-1) : undefined;
    if (end) last.set(forge, end);
    else last.delete(forge);
    return page;
  };
}

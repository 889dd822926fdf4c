import { SvcError } from '../../shared/errors/errors.ts';
import { explainUnread, joinReasons, MAX_ITEM_WHY_CHARS } from './explainUnread.ts';
import { createUnreadError, type RestServer } from './refusal.ts';

/**
 * The items of a list that can be read: one that cannot keeps no other one from being shown. Throws
 * SvcError `unreachable` where none can.
 */
export function readListedItems<Item, Found>(
  server: Pick<RestServer, 'host'>,
  what: string,
  items: readonly Item[],
  read: (one: Item) => Found,
): Found[] {
  const reasons: string[] = [];
  const found = items.flatMap((one) => {
    try {
      return [read(one)];
    } catch (error) {
      if (error instanceof SvcError) throw error;
      reasons.push(explainUnread(error, MAX_ITEM_WHY_CHARS));
      return [];
    }
  });
  if (found.length > 0 || reasons.length === 0) return found;
  const why = `a list without a readable entry: ${joinReasons(reasons)}`;
  throw createUnreadError(server, what, why);
}

import { SvcError } from '../../base/errors/errors.ts';
import { explainUnread, joinReasons, MAX_ITEM_WHY_CHARS } from './explainUnread.ts';
import { createUnreadError, type RestServer } from './refusal.ts';

/**
 * The readable items of a list: an unreadable one must not hide the others. Throws SvcError
 * `unreachable` where none is readable.
 */
export function readListedItems<Item, Found>(
  server: Pick<RestServer, 'host'>,
  what: string,
  items: readonly Item[],
  read: (one: Item) => Found,
): Found[] {
  const reasons: string[] = [];
  const readable = items.flatMap((one) => {
    try {
      return [read(one)];
    } catch (error) {
      if (error instanceof SvcError) throw error;
      reasons.push(explainUnread(error, MAX_ITEM_WHY_CHARS));
      return [];
    }
  });
  if (readable.length > 0 || reasons.length === 0) return readable;
  const why = `a list without a readable entry: ${joinReasons(reasons)}`;
  throw createUnreadError(server, what, why);
}

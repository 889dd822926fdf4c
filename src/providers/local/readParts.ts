import { SvcError } from '../../shared/errors/errors.ts';
import type { PrPart } from '../../contract/schema/forge/prDetail.ts';
import type { UnreadParts } from '../rest/unreadParts.ts';

/** What git says about a pull request; null where it cannot say, which is noted. */
export async function readFromGit<T>(
  parts: UnreadParts,
  read: () => Promise<T>,
): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    parts.note(['mergeability'], error);
    return null;
  }
}

/** Notes rows that the store left out since it cannot read them; `all`: how many it has. */
export function noteBroken(
  parts: UnreadParts,
  of: readonly PrPart[],
  found: readonly unknown[],
  all: number,
): void {
  const broken = all - found.length;
  if (broken === 0) return;
  const why = `${broken} of ${all} rows in state.db cannot be read`;
  parts.note(of, new SvcError('broken-row', why));
}

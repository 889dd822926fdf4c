import { toEventKind, type JobContext } from '../../../machines/index.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';

const MAX_NAMED = 5;

/**
 * What is in the inbox of a waiting job without having woken it, in words: comments that the
 * decision layer holds. A resume or a message delivers them.
 */
export function describeHeldNews(
  rows: RowReader,
  { id, awaited, inbox }: Pick<JobContext, 'id' | 'awaited' | 'inbox'>,
): string[] {
  if (awaited === null) return [];
  const heldItems = rows
    .all('inbox_items', { job_id: id, held: 1 }, { order: 'n' })
    .filter(({ n }) => n > inbox.drained);
  if (heldItems.length === 0) return [];
  const itemTexts = heldItems
    .slice(0, MAX_NAMED)
    .map(({ kind, pr_id: pr, author }) => `${toEventKind(kind)} on ${pr} by ${author}`);
  const more = heldItems.length - itemTexts.length;
  const all = [...itemTexts, ...(more > 0 ? [`${more} more`] : [])].join(', ');
  return [`not for what the decision layer holds back until a resume or a message: ${all}`];
}

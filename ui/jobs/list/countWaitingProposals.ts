import { matchesInboxFilter } from '../../inbox/inboxFilter.ts';
import type { InboxItem } from '../../inbox/inboxItems.ts';
import type { Filter } from './filters.ts';

/** How many of the waiting items are proposals that the filter of the list fits: they are no jobs, and have no words. */
export const countWaitingProposals = (
  items: readonly InboxItem[],
  { text, repo, workflow }: Pick<Filter, 'text' | 'repo' | 'workflow'>,
): number =>
  text.trim() === ''
    ? items.filter(
        (item) =>
          item.proposal !== null && matchesInboxFilter(item, { repo, workflow, person: null }),
      ).length
    : 0;

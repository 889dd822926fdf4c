import { parseStatus } from '../../machines/index.ts';
import { foldedText } from '../domain/foldedText.ts';
import type { JobListFilter, Standing } from '../durable/sqlite/jobListFilter.ts';
import type { JobListReader, JobOrder } from '../durable/sqlite/jobListReader.ts';
import type { DeprecatedNames } from './deprecatedNames.ts';
import { JobSearch } from './jobSearch.ts';
import type { JobSelection, Runner } from '../contract/runner.ts';
import { summaryOf } from './jobView.ts';

/** Most repositories and workflows that the counts name. */
const MAX_CHOICES = 200;

interface JobListDeps {
  list: JobListReader;
  /** Counts filters that use an older name. */
  deprecated: DeprecatedNames;
  /** `reason`: why no queued job starts now; null = they do. */
  disk: { readonly reason: string | null };
  /** How many proposals wait for a person. */
  proposals(): number;
}

/** GET /jobs and GET /jobs/counts: the filter as columns of the list, a summary of each job found. */
export const createJobList = ({
  list,
  deprecated,
  disk,
  proposals,
}: JobListDeps): Pick<Runner, 'jobs' | 'jobCounts'> => {
  const search = new JobSearch(list);
  const filterOf = (selection: JobSelection): JobListFilter => {
    const { q = '', status, is, needs, repo, workflow, type, coordinates, subRuns } = selection;
    const { parentJobId, campaignParentId, own } = selection;
    if (campaignParentId !== undefined) deprecated.used('query campaignParentId', own);
    if (status !== undefined && storedName(status) !== status) {
      deprecated.used('status awaiting-children', own);
    }
    const words = foldedText(q).split(/\s+/).filter(Boolean);
    const parent = parentJobId ?? campaignParentId;
    return {
      ...(words.length === 0 ? {} : { words }),
      ...(status === undefined ? {} : { status: storedName(status) }),
      // Checked by the schema of the query.
      ...(is === undefined ? {} : { is: is.split(',') as Standing[] }),
      ...(needs === undefined ? {} : { needs }),
      ...(repo === undefined ? {} : { repo }),
      ...(workflow === undefined ? {} : { workflow }),
      ...(type === undefined ? {} : { kind: type }),
      ...(parent === undefined ? {} : { parent }),
      ...(coordinates === undefined ? {} : { coordinates: true }),
      ...(subRuns === undefined ? {} : { onlyNeedingSubRuns: true }),
    };
  };
  return {
    async jobs({ sort = '-created', limit, offset, ...selection }) {
      const filter = filterOf(selection);
      const desc = sort.startsWith('-');
      const order = { by: sort.replace('-', '') as JobOrder, desc };
      const { found, total } = isSearch(filter)
        ? await search.page(filter, order, { limit, offset })
        : { found: list.page(filter, order, { limit, offset }), total: list.total(filter) };
      return { jobs: found.map((listed) => summaryOf(listed, disk.reason)), total };
    },
    async jobCounts(selection) {
      const filter = filterOf(selection);
      const { total, needs, standings, failures } = isSearch(filter)
        ? await search.counts(filter)
        : list.counts(filter);
      return {
        total,
        needs: { me: standings['needs-you'], ...needs, proposals: proposals() },
        is: standings,
        failures,
        ...list.choices(MAX_CHOICES),
      };
    },
  };
};

/** Whether texts are read of more than the sub-runs of one job. */
const isSearch = ({ words, parent }: JobListFilter): boolean =>
  words !== undefined && parent === undefined;

/** A status as it is stored: a filter by the older name finds what has the new one. */
const storedName = (status: string): string => {
  const { status: base, workItem } = parseStatus(status);
  return workItem === null ? base : `${base}:${workItem}`;
};

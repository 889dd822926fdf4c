import { parseStatus } from '../../../../machines/index.ts';
import { foldText } from '../../../base/text/foldText.ts';
import type { JobListFilter, ListedStanding } from '../../store/queries/jobListFilter.ts';
import type { JobListReader } from '../../store/queries/jobListReader.ts';
import type { JobOrder } from '../../store/queries/jobOrder.ts';
import type { ListedJob } from '../../store/queries/toListedJob.ts';
import type { JobSummary } from '../../../contract/schema/job/job.ts';
import type { DeprecatedNames } from '../deprecatedNames.ts';
import { JobSearch } from './jobSearch.ts';
import { toJobCost } from './jobSummary.ts';
import type { JobSelection, Runner } from '../../../contract/runner/runner.ts';

const MAX_CHOICES = 200;

/** Most jobs whose costs are added; beyond that the sum is left out. */
const MOST_SUMMED = 20_000;

interface JobListDeps {
  list: JobListReader;
  deprecated: DeprecatedNames;
  summarise(listedJob: ListedJob): JobSummary;
  /** How many proposals wait for a person. */
  proposals(): number;
}

/** GET /jobs and GET /jobs/counts: the filter as columns of the list, and a summary of each job. */
export const createJobList = ({
  list,
  deprecated,
  summarise,
  proposals,
}: JobListDeps): Pick<Runner, 'jobs' | 'jobCounts'> => {
  const search = new JobSearch(list);
  const toListFilter = (selection: JobSelection): JobListFilter => {
    const { q = '', status, is, needs, repo, workflow, type, coordinates, subRuns } = selection;
    const { parentJobId, campaignParentId, own, ids } = selection;
    if (campaignParentId !== undefined) deprecated.noteUse('query campaignParentId', own);
    if (status !== undefined && toStoredStatus(status) !== status) {
      deprecated.noteUse('status awaiting-children', own);
    }
    const words = foldText(q).split(/\s+/).filter(Boolean);
    const parent = parentJobId ?? campaignParentId;
    return {
      ...(ids === undefined ? {} : { ids: ids.split(',') }),
      ...(words.length === 0 ? {} : { words }),
      ...(status === undefined ? {} : { status: toStoredStatus(status) }),
      // Checked by the schema of the query.
      ...(is === undefined ? {} : { is: is.split(',') as ListedStanding[] }),
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
      const filter = toListFilter(selection);
      const desc = sort.startsWith('-');
      const order = { by: sort.replace('-', '') as JobOrder, desc };
      const page = { limit, offset };
      const { found, total } =
        order.by === 'cost'
          ? await search.pageByCost(filter, desc, page)
          : isSearch(filter)
            ? await search.page(filter, order, page)
            : { found: list.page(filter, order, page), total: list.total(filter) };
      return { jobs: found.map((listedJob) => summarise(listedJob)), total };
    },
    async jobCounts(selection) {
      const filter = toListFilter(selection);
      const { total, needs, standings, failures } = isSearch(filter)
        ? await search.counts(filter)
        : list.counts(filter);
      const snoozedCount = list.total({ ...filter, needs: 'snoozed' });
      const isSummed = selection.sum === 'cost' && total <= MOST_SUMMED;
      const sums = isSearch(filter) ? search : list;
      const cost = isSummed ? await sums.sumCost(filter) : null;
      return {
        total,
        needs: {
          me: standings['needs-you'],
          ...needs,
          snoozed: snoozedCount,
          proposals: proposals(),
        },
        is: standings,
        failures,
        ...(cost === null ? {} : { cost: toJobCost(cost) }),
        ...list.choices(MAX_CHOICES),
      };
    },
  };
};

/** Whether the texts of more than one job's sub-runs are searched. */
const isSearch = ({ words, parent }: JobListFilter): boolean =>
  words !== undefined && parent === undefined;

/** The stored status: the older name finds jobs with the new one. */
const toStoredStatus = (status: string): string => {
  const { status: base, workItem } = parseStatus(status);
  return workItem === null ? base : `${base}:${workItem}`;
};

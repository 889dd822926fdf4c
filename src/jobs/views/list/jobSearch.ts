import type { JobListFilter } from '../../store/queries/jobListFilter.ts';
import type {
  JobCounts,
  JobListReader,
  Page,
  PricedRow,
} from '../../store/queries/jobListReader.ts';
import type { Order } from '../../store/queries/jobOrder.ts';
import type { ListedJob } from '../../store/queries/toListedJob.ts';
import { waitForNextTurn } from '../../../base/concurrency/waitForNextTurn.ts';

/** Jobs whose texts are read before other work gets its turn: some 10 ms. */
const READ_AT_ONCE = 20_000;
/** Up to this many found jobs are always sorted. */
const FEW_FOUND = 20_000;

/** Ascending; equal costs have the newest first, as in the list. */
const compareCosts = (a: PricedRow, b: PricedRow): number =>
  (a.microUsd ?? -1) - (b.microUsd ?? -1) || b.createdAt - a.createdAt || b.row - a.row;

/**
 * Searches the list of jobs by reading the text of every job: a full-text index would make each
 * step of each job more expensive. It reads in slices, with pauses for other work. A job that
 * changes meanwhile may be missing.
 */
export class JobSearch {
  readonly #list: JobListReader;
  readonly #readAtOnce: number;

  /** `readAtOnce`: for tests. */
  constructor(list: JobListReader, readAtOnce = READ_AT_ONCE) {
    this.#list = list;
    this.#readAtOnce = readAtOnce;
  }

  async page(
    filter: JobListFilter,
    order: Order,
    page: Page,
  ): Promise<{ found: ListedJob[]; total: number }> {
    const rows: number[] = [];
    let total = 0;
    for await (const slice of this.#slices(filter)) {
      const rowIds = total > FEW_FOUND ? [] : this.#list.rows(slice);
      for (const row of rowIds) rows.push(row);
      total += total > FEW_FOUND ? this.#list.total(slice) : rowIds.length;
    }
    // If many match, walking along the order soon fills a page.
    const listedJobs =
      total > FEW_FOUND
        ? this.#list.page(filter, order, page)
        : this.#list.readRowsPage(rows, order, page);
    return { found: listedJobs, total };
  }

  /** A page of the list by cost, which has no index: like a search, it reads every job. */
  async pageByCost(
    filter: JobListFilter,
    desc: boolean,
    { limit, offset }: Page,
  ): Promise<{ found: ListedJob[]; total: number }> {
    const most = offset + limit;
    let first: PricedRow[] = [];
    let total = 0;
    for await (const slice of this.#slices(filter)) {
      first = [...first, ...this.#list.rowsByCost(slice, desc, most)]
        .sort((a, b) => (desc ? compareCosts(b, a) : compareCosts(a, b)))
        .slice(0, most);
      total += this.#list.total(slice);
    }
    const rows = first.slice(offset).map(({ row }) => row);
    return {
      found: this.#list.readRowsPage(rows, { by: 'cost', desc }, { limit, offset: 0 }),
      total,
    };
  }

  /** As {@link JobListReader.sumCost}. */
  async sumCost(filter: JobListFilter): Promise<ListedJob['cost']> {
    let sum: ListedJob['cost'] = null;
    for await (const slice of this.#slices(filter)) {
      const cost = this.#list.sumCost(slice);
      if (cost !== null) sum = sum === null ? cost : addCosts(sum, cost);
    }
    return sum;
  }

  async counts(filter: JobListFilter): Promise<JobCounts> {
    let sum = this.#list.counts({ ...filter, rows: { after: 0, last: 0 } });
    for await (const slice of this.#slices(filter))
      sum = addJobCounts(sum, this.#list.counts(slice));
    return sum;
  }

  async *#slices(filter: JobListFilter): AsyncGenerator<JobListFilter> {
    const last = this.#list.readLastRow();
    for (let after = 0; after < last; after += this.#readAtOnce) {
      yield { ...filter, rows: { after, last: after + this.#readAtOnce } };
      await waitForNextTurn();
    }
  }
}

const addCosts = (
  a: NonNullable<ListedJob['cost']>,
  b: NonNullable<ListedJob['cost']>,
): NonNullable<ListedJob['cost']> => ({
  microUsd: a.microUsd + b.microUsd,
  unpriced: a.unpriced + b.unpriced,
  tokens: a.tokens + b.tokens,
  unreported: a.unreported + b.unreported,
});

const addJobCounts = (a: JobCounts, b: JobCounts): JobCounts => ({
  total: a.total + b.total,
  needs: {
    decide: a.needs.decide + b.needs.decide,
    review: a.needs.review + b.needs.review,
    broken: a.needs.broken + b.needs.broken,
  },
  failures: {
    failed: a.failures.failed + b.failures.failed,
    subRuns: a.failures.subRuns + b.failures.subRuns,
    escalated: a.failures.escalated + b.failures.escalated,
  },
  standings: Object.fromEntries(
    Object.entries(a.standings).map(([name, count]) => [
      name,
      count + b.standings[name as keyof typeof b.standings],
    ]),
  ) as JobCounts['standings'],
});

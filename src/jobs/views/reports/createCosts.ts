import { waitForNextTurn } from '../../../base/concurrency/waitForNextTurn.ts';
import type { Runner } from '../../../contract/runner/runner.ts';
import { shorten } from '../../../base/text/clip.ts';
import { COST_PARTS, type CostPart } from '../../../base/spending/costParts.ts';
import { toIsoTimeOrNull } from '../../../base/time/toIsoTime.ts';
import type { CostReader } from '../../store/queries/costReader.ts';
import type { CallSums, CostFilter } from '../../store/queries/costTables.ts';
import type { RowReader } from '../../../contract/records/rowReader.ts';
import { SvcError } from '../../../base/errors/errors.ts';
import {
  type CostSum,
  type CostsQuery,
  DEFAULT_COST_ROWS,
} from '../../../contract/schema/policy/costs.ts';

const MAX_LABEL_CHARS = 100;
const MICRO = 1_000_000;
/** Labels that are read before others have their turn. */
const LABELS_AT_ONCE = 20;

interface CostDeps {
  reader: CostReader;
  rows: Pick<RowReader, 'all'>;
  /** Date of the prices in this release. */
  prices: string;
}

/** Known dollars; null if nothing is known. */
export const toDollars = (microUsd: number, unpricedCalls: number): number | null =>
  microUsd === 0 && unpricedCalls > 0 ? null : microUsd / MICRO;

const toCostSum = ({ microUsd, ...sum }: CallSums): CostSum => ({
  usd: toDollars(microUsd, sum.unpriced),
  ...sum,
});

/** The time of a query as epoch ms. */
function parseQueryTime(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isFinite(time)) return time;
  throw new SvcError(
    'bad-argument',
    `The query parameter ${name} is not a time; use ISO 8601, such as 2026-11-22T08:00:00Z, or a day such as 2026-11-22.`,
  );
}

function toCostFilter({
  by: _,
  limit: _limit,
  offset: _offset,
  since,
  until,
  ...only
}: CostsQuery): CostFilter {
  const filter: CostFilter = only;
  const [from, to] = [parseQueryTime('since', since), parseQueryTime('until', until)];
  if (from !== undefined) filter.since = from;
  if (to !== undefined) filter.until = to;
  return filter;
}

const isCostPart = (text: string): text is CostPart => COST_PARTS.some((part) => part === text);

/** GET /costs: sums over the ledger. */
export const createCosts = ({ reader, rows, prices }: CostDeps): Pick<Runner, 'costs'> => {
  const findLabel = (id: string): string | null => {
    const chat = /^chat:(.+)$/.exec(id)?.[1];
    const text =
      chat === undefined
        ? rows.all('job_summaries', { job_id: id })[0]?.description
        : rows.all('investigations', { id: chat })[0]?.title;
    const [line = ''] = (text ?? '').trim().split('\n', 1);
    return line === '' ? null : shorten(line, MAX_LABEL_CHARS);
  };
  return {
    async costs(query) {
      const { by: dimension = 'job', limit = DEFAULT_COST_ROWS, offset = 0 } = query;
      const by = [...new Set(dimension.split(',').filter(isCostPart))];
      const filter = toCostFilter(query);
      const jobIndex = by.findIndex((part) => part === 'job' || part === 'campaign');
      const costRows = await reader.read(by, filter, { limit, offset });
      const labels: (string | null)[] = [];
      for (const { keys } of costRows.rows) {
        const id = keys[jobIndex] ?? null;
        labels.push(id === null ? null : findLabel(id));
        if (labels.length % LABELS_AT_ONCE === 0) await waitForNextTurn();
      }
      return {
        by,
        since: toIsoTimeOrNull(filter.since),
        until: toIsoTimeOrNull(filter.until),
        rows: costRows.rows.map(({ keys, ...sum }, n) => ({
          keys,
          label: labels[n] ?? null,
          ...toCostSum(sum),
        })),
        total: costRows.total,
        limit,
        offset,
        sum: toCostSum(costRows.sum),
        prices,
      };
    },
  };
};

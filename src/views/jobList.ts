import { jobChart, parseStatus } from '../../machines/index.ts';
import type { ActorList } from '../durable/sqlite/actorList.ts';
import type { DeprecatedNames } from './deprecatedNames.ts';
import type { Runner } from '../contract/runner.ts';
import type { JobStates } from './jobStates.ts';
import { summaryOf } from './jobView.ts';

interface JobListDeps extends Pick<JobStates, 'stateOf'> {
  actors: ActorList;
  /** Counts filters that use an older name. */
  deprecated: DeprecatedNames;
}

/** GET /jobs: the filter as columns of the index, and a summary of each job found. */
export const createJobList =
  ({ actors, stateOf, deprecated }: JobListDeps): Runner['jobs'] =>
  ({ status, type, parentJobId, campaignParentId, coordinates, own, limit, offset }) => {
    if (campaignParentId !== undefined) deprecated.used('query campaignParentId', own);
    if (status !== undefined && storedName(status) !== status) {
      deprecated.used('status awaiting-children', own);
    }
    const parent = parentJobId ?? campaignParentId;
    const { rows, total } = actors.list({
      chart: jobChart.id,
      ...(status === undefined ? {} : { label: storedName(status) }),
      ...(type === undefined ? {} : { kind: type }),
      ...(parent === undefined ? {} : { parent }),
      ...(coordinates === true ? { namedIn: 'campaigns' } : {}),
      limit,
      offset,
    });
    return { jobs: rows.map((row) => summaryOf(stateOf(row.id), row)), total };
  };

/** A status as it is stored: a filter by the older name finds what has the new one. */
const storedName = (status: string): string => {
  const { status: base, workItem } = parseStatus(status);
  return workItem === null ? base : `${base}:${workItem}`;
};

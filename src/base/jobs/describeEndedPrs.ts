/** What has become of the pull requests of a job that has ended. */
export interface EndedPrs {
  openPrs: readonly string[];
  mergedPrs: number;
  closedPrs: number;
}

/** How a job has ended: its pull requests, and whether it changed nothing. */
export interface EndedWork extends EndedPrs {
  /** Left out = it is not a complete job on a repository, or it opened a pull request. */
  unchanged?: true;
}

/** Of a complete job on a repository that opened no pull request. */
const UNCHANGED = 'no changes';

const MAX_NAMED = 3;

const abridgePrIds = (ids: readonly string[]): string => {
  const more = ids.length - MAX_NAMED;
  return [...ids.slice(0, MAX_NAMED), ...(more > 0 ? [`${more} more`] : [])].join(', ');
};

/**
 * What a person has to know of the pull requests of a job that is over: that some are open, or that
 * some were closed and none was merged; null = nothing. `namesOpen`: with the ids of the open ones.
 */
export function describeEndedPrs(
  { openPrs, mergedPrs, closedPrs }: EndedPrs,
  namesOpen = true,
): string | null {
  const all = openPrs.length + mergedPrs + closedPrs;
  const open = openPrs.length;
  const texts = [
    ...(open > 0
      ? [
          `${open} pull request${open === 1 ? '' : 's'} still open${namesOpen ? ` (${abridgePrIds(openPrs)})` : ''}`,
        ]
      : []),
    ...(closedPrs > 0 && mergedPrs === 0
      ? [
          all === 1
            ? 'its pull request was not merged'
            : `none of its ${all} pull requests was merged`,
        ]
      : []),
  ];
  return texts.length === 0 ? null : texts.join(', ');
}

/**
 * What a person has to know of a job that is over, beside its status: what {@link describeEndedPrs} says,
 * or that it changed nothing; null = nothing.
 */
export const endedWorkText = ({ unchanged, ...prs }: EndedWork, namesOpen = true): string | null =>
  unchanged ? UNCHANGED : describeEndedPrs(prs, namesOpen);

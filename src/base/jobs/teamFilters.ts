/** Filters that the list of a team's jobs has. All others are those of the list of one runner. */
export const TEAM_FILTERS: readonly string[] = [
  'status',
  'is',
  'needs',
  'type',
  'repo',
  'workflow',
  'subRuns',
  'parentJobId',
  'campaignParentId',
  'q',
  'limit',
  'offset',
];

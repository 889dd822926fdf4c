export interface FailureCounts {
  failed: number;
  subRuns: number;
  escalated: number;
}

/** What the number of failed jobs consists of: ` of which 2 sub-runs and 3 escalated`; '' = nothing else. */
export function describeFailures({ subRuns, escalated }: FailureCounts): string {
  const parts = [
    ...(subRuns === 0 ? [] : [`${subRuns} ${subRuns === 1 ? 'sub-run' : 'sub-runs'}`]),
    ...(escalated === 0 ? [] : [`${escalated} escalated`]),
  ];
  return parts.length === 0 ? '' : `of which ${parts.join(' and ')}`;
}

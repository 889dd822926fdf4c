const WHY = {
  thumbs: 'a person said so',
  approved: 'it was approved',
  merged: 'its pull request was merged',
  rejected: 'it was rejected',
  message: 'a message sent it back',
  rerun: 'it was rerun',
  escalated: 'the job escalated',
  failed: 'the job failed',
  'changes-requested': 'changes were requested',
  reverted: 'its merge was reverted',
} as const;

/** How a rated phase has turned out, for people; `null`: that it is not known. */
export const describePhaseOutcome = (
  outcome: { verdict: 'good' | 'bad'; why: keyof typeof WHY } | null,
): string => (outcome === null ? 'not known yet' : `${outcome.verdict}: ${WHY[outcome.why]}`);

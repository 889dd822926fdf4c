/** How many jobs of each group, and proposals, need a person. */
export interface NeedsByGroup {
  decide: number;
  review: number;
  broken: number;
  proposals: number;
}

/** What needs a person: `12 to decide, 8 to review, 3 broken, 2 proposals`; '' = nothing does. */
export const describeNeeds = ({ decide, review, broken, proposals }: NeedsByGroup): string =>
  [
    [decide, 'to decide'],
    [review, 'to review'],
    [broken, 'broken'],
    [proposals, proposals === 1 ? 'proposal' : 'proposals'],
  ]
    .flatMap(([many, says]) => (Number(many) > 0 ? [`${many} ${says}`] : []))
    .join(', ');

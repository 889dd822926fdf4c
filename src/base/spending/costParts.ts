/** What costs can be split by; at most two at a time. */
export const COST_PARTS = [
  'job',
  'phase',
  'campaign',
  'repository',
  'workflow',
  'provider',
  'model',
  'person',
  'day',
] as const;
export type CostPart = (typeof COST_PARTS)[number];

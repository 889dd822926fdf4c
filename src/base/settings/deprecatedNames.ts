/** Older names that still work, and what to write instead. */
export const DEPRECATED_NAMES = {
  'query campaignParentId': 'query parentJobId',
  'status awaiting-children': 'status awaiting-sub-runs',
  'path /jobs/:jobId/children': 'path /jobs/:jobId/sub-runs',
  'tool convert_to_campaign': 'tool convert_to_workflow',
  'tool campaign_register_child': 'tool register_sub_run',
  'tool campaign_finalize': 'tool finalize_sub_runs',
  'tool campaign_status': 'tool sub_run_status',
  'tool campaign_skip_child': 'tool skip_sub_run',
  'tool campaign_rerun_child': 'tool rerun_sub_run',
  'tool campaign_cancel_child': 'tool cancel_sub_run',
  'config git': 'config plugins.installed',
  'config tracker': 'config plugins.installed',
  'field campaignChildren': 'field subRuns',
  'field campaignParentId': 'field parentJobId',
  'field campaignAggregatedInsights': 'field aggregatedSiblingInsights',
} as const;
export type DeprecatedName = keyof typeof DEPRECATED_NAMES;

export const isDeprecatedName = (name: string): name is DeprecatedName =>
  Object.hasOwn(DEPRECATED_NAMES, name);

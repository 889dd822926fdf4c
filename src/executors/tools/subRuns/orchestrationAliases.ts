import { convertToCampaign } from './convertToWorkflow.ts';
import { orchestrationTools } from './orchestration.ts';
import type { Tool } from '../tool.ts';

/** Older name → name, for workflows and agents that use the older names (TOOL-5). */
const NAMES: Readonly<Record<string, string>> = {
  convert_to_campaign: 'convert_to_workflow',
  campaign_register_child: 'register_sub_run',
  campaign_finalize: 'finalize_sub_runs',
  campaign_status: 'sub_run_status',
  campaign_skip_child: 'skip_sub_run',
  campaign_rerun_child: 'rerun_sub_run',
  campaign_cancel_child: 'cancel_sub_run',
};

/** The orchestration tools under their older names, with the same arguments and answers. */
export const orchestrationAliases: readonly Tool[] = Object.entries(NAMES).flatMap(
  ([name, newer]) =>
    orchestrationTools
      .filter((tool) => tool.name === newer)
      .map((tool) => ({
        // The job's history tells the two apart.
        ...(name === convertToCampaign.name ? convertToCampaign : tool),
        name,
        title: `${tool.title} (older name)`,
        description: `Deprecated, use ${newer}: ${tool.description}`,
        deprecated: true,
      })),
);

import { artefactTools } from '../job/artefacts.ts';
import { evidenceTools } from '../job/evidence.ts';
import { createForgeTools } from '../forge/createForgeTools.ts';
import { jobControlTools } from '../job/jobControl.ts';
import { orchestrationAliases } from '../subRuns/orchestrationAliases.ts';
import { orchestrationTools } from '../subRuns/orchestration.ts';
import { scmTools } from '../forge/scm.ts';
import { selfImprovementTools } from '../job/selfImprovement.ts';
import type { Tool } from '../tool.ts';

/** Id of the tool server; agents see its tools as `mcp__svc__<name>`. */
export const TOOL_SERVER_ID = 'svc';

/**
 * Every tool of a phase, by name; `forges`: ids of the source-control providers, `services`: tools
 * of other configured services.
 */
export function buildToolCatalogue(
  forges: readonly string[],
  services: readonly Tool[] = [],
): ReadonlyMap<string, Tool> {
  const tools = [
    ...jobControlTools,
    ...artefactTools,
    ...selfImprovementTools,
    ...evidenceTools,
    ...orchestrationTools,
    ...orchestrationAliases,
    ...scmTools,
    ...forges.flatMap(createForgeTools),
    ...services,
  ];
  return new Map(tools.map((tool) => [tool.name, tool]));
}

export const listToolNames = (forges: readonly string[]): string[] => [
  ...buildToolCatalogue(forges).keys(),
];

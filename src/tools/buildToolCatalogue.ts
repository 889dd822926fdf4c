import { artefactTools } from './artefacts.ts';
import { evidenceTools } from './evidence.ts';
import { createForgeTools } from './createForgeTools.ts';
import { jobControlTools } from './jobControl.ts';
import { orchestrationAliases } from './orchestrationAliases.ts';
import { orchestrationTools } from './orchestration.ts';
import { scmTools } from './scm.ts';
import { selfImprovementTools } from './selfImprovement.ts';
import type { Tool } from './tool.ts';

/** Id of the tool server; agents see its tools as `mcp__svc__<name>`. */
export const TOOL_SERVER_ID = 'svc';

/**
 * Every tool of a phase, by name; `forges` are the ids of the source-control providers, `services`
 * tools of what else is configured.
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

import { artefactTools } from './artefacts.ts';
import { forgeTools } from './forge.ts';
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
export function toolsOf(
  forges: readonly string[],
  services: readonly Tool[] = [],
): ReadonlyMap<string, Tool> {
  const tools = [
    ...jobControlTools,
    ...artefactTools,
    ...selfImprovementTools,
    ...orchestrationTools,
    ...orchestrationAliases,
    ...scmTools,
    ...forges.flatMap(forgeTools),
    ...services,
  ];
  return new Map(tools.map((tool) => [tool.name, tool]));
}

export const toolNames = (forges: readonly string[]): string[] => [...toolsOf(forges).keys()];

const firstSentence = (description: string): string =>
  description.slice(0, description.search(/[.:] |\.$/));

interface ToolPromptOptions {
  /** Its workflow may have sub-runs; default false. */
  coordinates?: boolean;
  /** Tools of services that are configured; default none. */
  services?: readonly Tool[];
  /** Which tools the phase has; default: all. */
  isAllowed?(name: string): boolean;
}

/** What an agent must know of its tools, as markdown for the prompt. */
export function toolPrompt(
  forges: readonly string[],
  { coordinates = false, services = [], isAllowed = () => true }: ToolPromptOptions = {},
): string {
  const listed = [...toolsOf(forges, services).values()].filter(
    ({ name, coordinatorOnly, deprecated }) =>
      deprecated !== true && (coordinates || coordinatorOnly !== true) && isAllowed(name),
  );
  const lines = listed.map(({ name, input, description }) => {
    const required: readonly string[] = Array.isArray(input.required) ? input.required : [];
    const fields = Object.keys(input.properties).map((field) =>
      required.includes(field) ? field : `${field}?`,
    );
    return `- \`mcp__${TOOL_SERVER_ID}__${name}\` { ${fields.join(', ')} }: ${firstSentence(description)}`.replace(
      '{  }',
      '{}',
    );
  });
  return [
    '## Tools of the job',
    '',
    `The MCP server \`${TOOL_SERVER_ID}\` changes the state of this job. Some programs show its tools under another prefix; the part after \`mcp__${TOOL_SERVER_ID}__\` is the name.`,
    `From a shell: \`svc tool <name> '<json>'\`, for example \`svc tool update_work_item '{"id":"a","status":"complete"}'\`; \`svc tool --list\` lists them.`,
    'When an answer says to end your turn, end it: what you asked for happens after your session.',
    '',
    ...lines,
    '',
  ].join('\n');
}

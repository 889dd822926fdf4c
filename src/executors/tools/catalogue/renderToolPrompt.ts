import type { ToolForm } from '../../../contract/session/executor.ts';
import { TOOL_SERVER_ID, buildToolCatalogue } from './buildToolCatalogue.ts';
import type { Tool } from '../tool.ts';

const HEADING = '## Tools of the job';
const END_YOUR_TURN =
  'When an answer says to end your turn, end it: what you asked for happens after your session.';

const extractFirstSentence = (description: string): string =>
  description.slice(0, description.search(/[.:] |\.$/));

interface ToolPromptOptions {
  /** How the agent sees the tools; default: it calls them by `svc tool`. */
  form?: ToolForm;
  /** Whether its workflow may have sub-runs; default false. */
  coordinates?: boolean;
  /** Tools of configured services; default none. */
  services?: readonly Tool[];
  /** Which tools the phase has; default: all. */
  isAllowed?(name: string): boolean;
}

/** How an agent finds the tools, in a few words; empty = by name. */
export function describeToolLookup({ prefix, offered }: ToolForm): string {
  if (!offered) return '`svc tool <name>`';
  return prefix === null || prefix === '' ? '' : `\`${prefix}…\``;
}

function formatToolLine({ name, input, description }: Tool): string {
  const requiredNames: readonly string[] = Array.isArray(input.required) ? input.required : [];
  const fields = Object.keys(input.properties).map((field) =>
    requiredNames.includes(field) ? field : `${field}?`,
  );
  return `- \`${name}\` { ${fields.join(', ')} }: ${extractFirstSentence(description)}`.replace(
    '{  }',
    '{}',
  );
}

/**
 * The prompt's markdown about the tools. They are only listed for an agent that is not offered them
 * as tools.
 */
export function renderToolPrompt(
  forges: readonly string[],
  {
    form = { prefix: '', offered: false },
    coordinates = false,
    services = [],
    isAllowed = () => true,
  }: ToolPromptOptions = {},
): string {
  if (form.offered) {
    const which =
      form.prefix === null
        ? `The tools of the MCP server \`${TOOL_SERVER_ID}\` change the state of this job. They are written by their plain names here; you may see them under names that begin with that of the server.`
        : `The tools whose names begin with \`${form.prefix}\` change the state of this job.`;
    return [HEADING, `${which} ${END_YOUR_TURN}`].join('\n\n');
  }
  const listedTools = [...buildToolCatalogue(forges, services).values()].filter(
    ({ name, coordinatorOnly, deprecated }) =>
      deprecated !== true && (coordinates || coordinatorOnly !== true) && isAllowed(name),
  );
  return [
    HEADING,
    [
      `These tools change the state of this job. The MCP server \`${TOOL_SERVER_ID}\` has them, some programs show them as \`mcp__${TOOL_SERVER_ID}__<name>\`.`,
      `From a shell: \`svc tool <name> '<json>'\`, for example \`svc tool update_work_item '{"id":"a","status":"complete"}'\`; \`svc tool --list\` lists them.`,
      END_YOUR_TURN,
    ].join('\n'),
    listedTools.map(formatToolLine).join('\n'),
  ].join('\n\n');
}

import { orchestrationAliases } from '../../src/executors/tools/subRuns/orchestrationAliases.ts';
import { artefactTools } from '../../src/executors/tools/job/artefacts.ts';
import { TOOL_SERVER_ID } from '../../src/executors/tools/catalogue/buildToolCatalogue.ts';
import { evidenceTools } from '../../src/executors/tools/job/evidence.ts';
import { createForgeTools } from '../../src/executors/tools/forge/createForgeTools.ts';
import { jobControlTools } from '../../src/executors/tools/job/jobControl.ts';
import { createObservabilityTools } from '../../src/executors/tools/forge/createObservabilityTools.ts';
import { orchestrationTools } from '../../src/executors/tools/subRuns/orchestration.ts';
import { scmTools } from '../../src/executors/tools/forge/scm.ts';
import { selfImprovementTools } from '../../src/executors/tools/job/selfImprovement.ts';
import type { Tool } from '../../src/executors/tools/tool.ts';
import { BUILT_IN_TOOLS } from '../../src/executors/tools/catalogue/toolAllowlist.ts';
import { createTrackerTools } from '../../src/executors/tools/forge/createTrackerTools.ts';
import { code, page, plain, table } from './markdown.ts';
import { membersTable } from './members.ts';

const INTRODUCTION = `An agent changes its job through the tools of the runner's MCP server \`${TOOL_SERVER_ID}\`. A model
sees them as \`mcp__${TOOL_SERVER_ID}__<name>\`, a program calls them with \`svc tool <name> '<json>'\`. The runner counts calls:
a session that is started again and repeats a call gets the answer of the first time. A list
\`tools:\` of a phase or an agent restricts what it is offered; \`log\` and \`escalate\` are always
there. A list may also name the tools that executors bring along (${BUILT_IN_TOOLS.map(code).join(', ')}),
and those of other servers, \`mcp__<server>\` or \`mcp__<server>__<tool>\`.`;

interface Group {
  title: string;
  about: string;
  tools: readonly Tool[];
}

const never = () => Promise.reject(new Error('Only the descriptions of the tools are read here.'));
const loki = { query: never, healthcheck: never };
const tempo = { trace: never, search: never, healthcheck: never };

const GROUPS: readonly Group[] = [
  {
    title: 'Job',
    about: 'Every phase with an agent has them.',
    tools: [...jobControlTools, ...artefactTools, ...selfImprovementTools, ...evidenceTools],
  },
  {
    title: 'Sub-runs',
    about: 'For campaigns: jobs that split their work into sub-runs.',
    tools: orchestrationTools,
  },
  {
    title: 'Repository',
    about:
      "The job's own repository, at whichever forge it is. A verb of the job's own forge, below, can also be called by `scm_<verb>`: `scm_create_pr` is `github_create_pr` for a job on GitHub.",
    tools: scmTools,
  },
  {
    title: 'Forges',
    about:
      'One set for each configured forge; `<forge>` is its id: `local`, `github`, `gitlab`, `bitbucket` or that of an installed plugin. `local` has no `create_repo`.',
    tools: createForgeTools('<forge>'),
  },
  {
    title: 'Trackers',
    about:
      "Where a tracker is configured. The same tools with `jira`, `linear`, `github_issues` or the id of an installed plugin (`_` for `-`) in place of `tracker` name that tracker and need the issue's key.",
    tools: createTrackerTools(['jira']).filter(({ name }) => name.startsWith('tracker_')),
  },
  {
    title: 'Logs and traces',
    about: 'Where the plugins `loki` and `tempo` are configured.',
    tools: createObservabilityTools({ loki, tempo }),
  },
];

function describeOffer({ coordinatorOnly, onlyListed }: Tool): string {
  const rules = [
    coordinatorOnly ? 'workflows with `coordinator.enabled`' : '',
    onlyListed ? 'phases whose `tools:` list names it' : '',
  ].filter((rule) => rule !== '');
  return rules.length === 0 ? '' : ` Only in ${rules.join(', and only in ')}.`;
}

function toolText(tool: Tool): string[] {
  const { name, description, hints, untrusted, input } = tool;
  const effect = hints.readOnlyHint ? 'Reads.' : 'Changes something.';
  const again =
    !hints.readOnlyHint && hints.idempotentHint ? ' The same call again changes nothing more.' : '';
  const foreign = untrusted ? ' The answer is text of other people and is marked as such.' : '';
  const hasFields = Object.keys(input.properties).length > 0;
  return [
    `### ${name}`,
    plain(description),
    `*${effect}${again}*${describeOffer(tool)}${foreign}`,
    hasFields ? membersTable(input) : 'No arguments.',
  ];
}

export function toolsPage(): string {
  const aliases = orchestrationAliases.map(({ name, description }) => [
    code(name),
    code(/^Deprecated, use (\w+):/.exec(description)?.[1] ?? ''),
  ]);
  return page('Agent tools', 'src/executors/tools', [
    INTRODUCTION,
    ...GROUPS.flatMap(({ title, about, tools }) => [
      `## ${title}`,
      about,
      ...tools.flatMap(toolText),
    ]),
    '## Older names',
    'They still work and are not offered in prompts.',
    table(['Older name', 'Name'], aliases),
  ]);
}

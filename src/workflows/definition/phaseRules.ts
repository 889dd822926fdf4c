import type { PhaseDefinition } from '../../contract/schema/workflow/workflow.ts';
import { MAX_PHASES } from '../../base/limits/jobLimits.ts';
import { findClosestName, suggestClosestName } from '../../base/text/findClosestName.ts';
import { describeUnusualCharacters } from '../../base/text/codePoints.ts';
import type { Findings } from './findings.ts';
import type { KeyPath, Positions } from './positions.ts';
import { createShapeCheck } from './createShapeCheck.ts';
import { PHASE_NAME_PATTERN, PhaseFrontMatter } from './workflowShape.ts';
import { checkStatusKey } from './statusRule.ts';
import { checkAlias, checkExecutor, checkCanRun, reportModelOfProgram } from './executorRules.ts';
import type { WorkflowContext } from './workflowContext.ts';

const checkPhaseShape = createShapeCheck(PhaseFrontMatter, {
  agent:
    'Write the path of an agent such as agents/coder.md, or agent: null for a phase without a session.',
  status: 'Write the status that the job shows in this phase, such as coding.',
  checkpoint: 'Did you mean interactive_checkpoint?',
  command: 'Commands are declared in the front matter of the agent.',
});

/** The server in `mcp__<server>` and `mcp__<server>__<tool>`; null = another name, or a pattern. */
function checkServer(
  name: string,
  path: KeyPath,
  servers: WorkflowContext['servers'],
  positions: Positions,
  findings: Findings,
): void {
  const rest = /^mcp__([A-Za-z0-9].*)$/.exec(name)?.[1];
  if (rest === undefined || servers === undefined) return;
  const serverIds = [...servers, OWN_SERVER];
  if (serverIds.some((id) => rest === id || rest.startsWith(`${id}__`))) return;
  const id = rest.split('__', 1)[0] ?? rest;
  const hint =
    servers.length === 0
      ? 'Declare it in mcpServers of the configuration, or in .mcp.json of the repository.'
      : `${suggestClosestName(id, servers)} Others are declared in mcpServers of the configuration.`;
  findings.addWarning(
    'unknown-server',
    positions.value(path),
    `No tool server ${id} is declared here, so ${name} has no effect.`,
    hint,
  );
}

/** For phases and agents. A misspelt name would silently take a tool away. */
export function checkTools(
  tools: readonly string[],
  path: KeyPath,
  {
    unknownTool,
    unknownProvider,
    servers,
  }: Pick<WorkflowContext, 'unknownTool' | 'unknownProvider' | 'servers'>,
  positions: Positions,
  findings: Findings,
): void {
  for (const [index, name] of tools.entries()) {
    checkServer(name, [...path, index], servers, positions, findings);
    const place = positions.value([...path, index]);
    const hint = unknownTool?.(name) ?? null;
    if (hint !== null)
      findings.error('unknown-tool', place, `The tool ${name} does not exist.`, hint);
    const provider = hint === null ? unknownProvider?.(name) : null;
    if (provider) findings.addWarning('tool-not-installed', place, provider.message, provider.hint);
  }
}

const OWN_SERVER = 'svc';

/** Path of an agent's file: files in other folders are read otherwise. */
const AGENT_PATH = /^(?:.+\/)?agents\/.+\.md$/;
/** Folders that begin with a dot belong to other programs. */
const IN_HIDDEN_FOLDER = /(?:^|\/)\./;

function checkAgent(
  agent: string,
  path: KeyPath,
  context: WorkflowContext,
  positions: Positions,
  findings: Findings,
): void {
  const place = positions.value([...path, 'agent']);
  if (!AGENT_PATH.test(agent) || IN_HIDDEN_FOLDER.test(agent)) {
    const message = `${agent} is not the path of an agent.${describeUnusualCharacters(agent)}`;
    const near = findClosestName(agent, context.agents ?? []);
    const hint = near
      ? `Did you mean ${near}?`
      : IN_HIDDEN_FOLDER.test(agent)
        ? 'svc reads no agents in folders that begin with a dot. Copy the file below agents/ of the layer.'
        : 'Write the path of a markdown file below agents/, such as agents/coder.md.';
    findings.error('not-an-agent', place, message, hint);
  } else if (context.hasAgent && !context.hasAgent(agent)) {
    const hint = context.agents
      ? suggestClosestName(agent, context.agents)
      : 'Write the file or fix the path.';
    findings.error(
      'missing-agent',
      place,
      `${agent} was not found (searched: repository, team, built-in).`,
      hint,
    );
  }
}

/** Reports a checkpoint if svc runs jobs without a person. */
function checkUnattendedCheckpoint(
  { name, interactive_checkpoint }: { name?: string; interactive_checkpoint?: boolean },
  path: KeyPath,
  { interactive }: WorkflowContext,
  positions: Positions,
  findings: Findings,
): void {
  if (interactive !== false || interactive_checkpoint !== true) return;
  findings.addWarning(
    'checkpoint-without-person',
    positions.value([...path, 'interactive_checkpoint']),
    `The job waits here until a person approves, but svc is configured for jobs without one (coachMode.enabled is false).`,
    `Approve it in advance with svc job --approve ${name ?? '<phase>'}, or remove the checkpoint.`,
  );
}

/** Keys that are about a session. */
const OF_SESSIONS = ['model', 'provider', 'obligations', 'tools'] as const;

export interface ReadPhases {
  phases: { index: number; phase: PhaseDefinition }[];
  /** Whether the name and agent of every phase are readable, so that their order is known. */
  whole: boolean;
}

/** Reads the list of phases; unusable ones are left out and reported. */
export function readPhases(
  value: readonly unknown[],
  context: WorkflowContext,
  positions: Positions,
  findings: Findings,
): ReadPhases {
  if (value.length > MAX_PHASES) {
    const message = `The workflow has ${value.length} phases; the limit is ${MAX_PHASES}.`;
    findings.error(
      'too-many-phases',
      positions.value(['phases', MAX_PHASES]),
      message,
      'Split the workflow and switch with switch_workflow.',
    );
    return { phases: [], whole: false };
  }
  const phases: ReadPhases['phases'] = [];
  let whole = true;
  for (const [index, item] of value.entries()) {
    const path = ['phases', index];
    const phase = checkPhaseShape(item, path, positions, findings);
    if (!phase) {
      whole = false;
      continue;
    }
    const { name, agent, status, model, tools } = phase;
    if (status !== undefined)
      checkStatusKey(status, [...path, 'status'], positions, findings, typeof agent === 'string');
    checkExecutor(phase, path, context, positions, findings);
    checkCanRun(phase, path, context, positions, findings);
    const isUnused = reportModelOfProgram(phase, path, context, positions, findings);
    if (typeof model === 'string' && !isUnused)
      checkAlias(model, [...path, 'model'], context, positions, findings);
    checkUnattendedCheckpoint(phase, path, context, positions, findings);
    if (tools) checkTools(tools, [...path, 'tools'], context, positions, findings);
    if (typeof agent === 'string') checkAgent(agent, path, context, positions, findings);
    for (const key of agent === null ? OF_SESSIONS : []) {
      if (phase[key] === undefined || phase[key] === null) continue;
      const message = `The phase has no agent, so its ${key} has no effect.`;
      findings.addWarning(
        'key-without-agent',
        positions.key([...path, key]),
        message,
        `Remove ${key}, or name an agent.`,
      );
    }
    if (agent === undefined || name === undefined) whole = false;
    if (name === undefined) continue;
    if (!PHASE_NAME_PATTERN.test(name)) {
      findings.error(
        'bad-phase-name',
        positions.value([...path, 'name']),
        `The phase name ${JSON.stringify(name)} contains characters that are not allowed in a URL.${describeUnusualCharacters(name)}`,
        'Use alphanumeric characters, dots, hyphens and underscores.',
      );
    }
    if (phases.some((other) => other.phase.name === name)) {
      findings.error(
        'duplicate-phase',
        positions.value([...path, 'name']),
        `The phase name ${name} is already used above.`,
        'Give each phase a unique name.',
      );
      whole = false;
      continue;
    }
    const definition: PhaseDefinition = {
      name,
      agent: agent ?? null,
      model: model ?? null,
      status: status ?? '',
      interactive_checkpoint: phase.interactive_checkpoint ?? false,
      provider: phase.provider ?? null,
      obligations: phase.obligations ?? null,
      ...(tools ? { tools } : {}),
    };
    phases.push({ index, phase: definition });
  }
  return { phases, whole };
}

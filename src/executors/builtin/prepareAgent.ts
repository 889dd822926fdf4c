import type { Clock } from '../../base/time/clock.ts';
import type { SessionRequest } from '../../contract/session/executor.ts';
import type { SessionOutput } from '../process/sessionOutput.ts';
import type { AgentTool } from './agentTool.ts';
import { Conversation } from './conversation.ts';
import { openModel, type OpenModel } from './languageModel.ts';
import { loadMemory } from './loadMemory.ts';
import { ToolServers } from './servers/toolServers.ts';
import type { BuiltinSettings } from './settings.ts';
import { loadSkills, createSkillTool } from './skills.ts';
import { createFileTools } from './tools/createFileTools.ts';
import { Places } from './tools/places.ts';
import { createSearchTools } from './tools/createSearchTools.ts';
import { createShellTool } from './tools/createShellTool.ts';
import { readTranscript, Transcript } from './transcript.ts';
import { renderAgentConduct } from '../process/renderAgentConduct.ts';

/** Most names of tools that are left out in a line. */
const MAX_NAMES = 10;

/**
 * As many tools as the endpoint takes, in order; external ones at the end are left out. `line`:
 * names them for people; null = all are kept.
 */
export function limitTools(
  tools: readonly AgentTool[],
  most: number,
): { tools: readonly AgentTool[]; line: string | null } {
  const own = tools.filter(({ server }) => server === undefined).length;
  let room = Math.max(0, most - own);
  const leftOut: string[] = [];
  const agentTools = tools.filter(({ name, server }) => {
    if (server === undefined || room > 0) {
      room -= server === undefined ? 0 : 1;
      return true;
    }
    leftOut.push(name);
    return false;
  });
  if (leftOut.length === 0) return { tools, line: null };
  const more = leftOut.length > MAX_NAMES ? ` and ${leftOut.length - MAX_NAMES} more` : '';
  return {
    tools: agentTools,
    line: `The endpoint takes ${most} tools (maxTools), so ${leftOut.length === 1 ? '1 tool of external servers is' : `${leftOut.length} tools of external servers are`} left out: ${leftOut.slice(0, MAX_NAMES).join(', ')}${more}. List the tools that the phase needs in its \`tools\`.`,
  };
}

/** What only an agent in this program has to know. */
const OF_THIS_PROGRAM = [
  '- Several calls in one answer are carried out in sequence, in their order.',
  '- Where an old answer of a tool was folded, call the tool again if you need it.',
].join('\n');

const buildAgentSystemPrompt = ({
  cwd,
  phase,
  memory,
}: {
  cwd: string;
  phase: string;
  memory: string;
}): string =>
  [
    `${renderAgentConduct(cwd)}\n${OF_THIS_PROGRAM}`,
    phase,
    ...(memory === '' ? [] : [`# Memory\n\nWhat people wrote for agents.\n\n${memory}`]),
  ].join('\n\n');

export interface PreparedAgent {
  open: OpenModel;
  system: string;
  tools: readonly AgentTool[];
  conversation: Conversation;
  transcript: Transcript;
  servers: ToolServers;
}

interface PrepareOptions {
  request: SessionRequest;
  settings: BuiltinSettings;
  modelId: string;
  clock: Clock;
  output: SessionOutput;
  signal: AbortSignal;
}

/** Names of tools in the phase's allowlist. */
const ALLOWLIST_NAMES: Readonly<Record<string, string>> = {
  Read: 'read',
  Write: 'write',
  Edit: 'edit',
  Bash: 'shell',
  Glob: 'glob',
  Grep: 'grep',
  Skill: 'skill',
};

/**
 * Texts to remove from all that a session says and writes, besides the token of its tool server.
 */
export const listSessionSecrets = (
  { mcpServers }: SessionRequest,
  { apiKey }: BuiltinSettings,
): string[] => [
  apiKey,
  ...mcpServers.flatMap(({ env, headers }) => [...Object.values(env), ...Object.values(headers)]),
];

async function buildOwnTools(
  { request, clock }: PrepareOptions,
  places: Places,
): Promise<AgentTool[]> {
  const { overlayDir, env, sessionDir, marker, sandbox, builtInTools } = request;
  // `svc tool` finds the tool server in the session's folder.
  const place = { clock, env: { ...env, SVC_SESSION_DIR: sessionDir }, marker, sandbox };
  const skills = await loadSkills(places, overlayDir);
  const all = [
    ...createFileTools(places),
    createShellTool(places, place),
    ...createSearchTools(places, place),
    ...(skills.length === 0 ? [] : [createSkillTool(skills)]),
  ];
  return all.filter(
    ({ name }) => builtInTools === null || builtInTools.includes(ALLOWLIST_NAMES[name] ?? ''),
  );
}

async function loadEarlierMessages({ request: { sessionDir, resume }, output }: PrepareOptions) {
  if (resume === null) return [];
  const modelMessages = await readTranscript(sessionDir, resume);
  if (modelMessages === null)
    output.control(`The conversation ${resume} no longer exists; a new one is started.`);
  return modelMessages ?? [];
}

/**
 * Prepares an agent: its places, tools, memory and conversation. Throws an Error that says what is
 * missing.
 */
export async function prepareAgent(options: PrepareOptions): Promise<PreparedAgent> {
  const { request, settings, modelId, clock, output, signal } = options;
  const places = await Places.open(request.cwd, [request.overlayDir]);
  const servers = await ToolServers.connect({
    request,
    clock,
    signal,
    onMissing: (line) => output.control(line),
  });
  try {
    const [own, memory, earlier, open] = await Promise.all([
      buildOwnTools(options, places),
      loadMemory(places, request.overlayDir),
      loadEarlierMessages(options),
      openModel(settings, modelId, request.llm.reasoningEffort),
    ]);
    const onLost = (error: string) => output.control(`The conversation cannot be saved: ${error}`);
    const transcript = new Transcript(request.sessionDir, earlier, {
      screen: output.screen,
      onLost,
    });
    const conversation = new Conversation(transcript);
    conversation.continueWith(earlier);
    const limitedTools = limitTools([...own, ...servers.tools], settings.maxTools);
    if (limitedTools.line !== null) output.control(limitedTools.line);
    return {
      open,
      system: buildAgentSystemPrompt({ cwd: places.root, phase: request.systemPrompt, memory }),
      tools: limitedTools.tools,
      conversation,
      transcript,
      servers,
    };
  } catch (error) {
    await servers.close();
    throw error;
  }
}

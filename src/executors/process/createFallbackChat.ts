import type { ChatRequest, ChatRun, ReadTool } from '../../contract/planning/chat.ts';
import type { Executor, SessionNeed } from '../../contract/session/executor.ts';
import { toFields, toListOrEmpty } from '../../base/json/untrusted.ts';
import { runChatSession } from './runChatSession.ts';

/** The executor whose program the overlay names. */
const COMMAND = 'command';

const NO_PROGRAM =
  'agents/intake.md of the base layer or of the tenant names no program (`command:` in its front matter)';
const HAS_OWN_TOOLS = 'its sessions cannot be kept to the tools of a chat';

const clipToFirstSentence = (description: string): string =>
  description.slice(0, Math.max(0, description.search(/[.:](\s|$)/))) || description;

function formatReadTool({ name, description, inputSchema }: ReadTool): string {
  const requiredNames = toListOrEmpty(inputSchema.required);
  const names = Object.keys(toFields(inputSchema.properties)).map((field) =>
    requiredNames.includes(field) ? field : `${field}?`,
  );
  return `- \`${name}\` { ${names.join(', ')} }: ${clipToFirstSentence(description)}.`;
}

/** A list of the tools, for an agent that is not offered them. */
const renderReadTools = (tools: readonly ReadTool[]): string =>
  [
    '## What you can look at',
    "From a shell: `svc tool <name> '<json>' --text`; `svc tool --list` lists them.",
    tools.map(formatReadTool).join('\n'),
  ].join('\n\n');

/**
 * How an executor without a chat answers a turn: in a session of one turn that has only the tools
 * of the chat. Only for executors that limit their sessions to a list of tools, and for the program
 * that `agents/intake.md` names (`need.command`), which is as trustworthy as that file. A text =
 * why it cannot, as a clause.
 */
export function createFallbackChat(
  executor: Executor,
  need: SessionNeed,
): ((request: ChatRequest) => Promise<ChatRun>) | string {
  const lack = executor.cannotChat?.(need) ?? null;
  if (lack !== null) return lack;
  const isCommand = executor.id === COMMAND;
  if (isCommand && !need.command?.length) return NO_PROGRAM;
  if (!isCommand && executor.capabilities.holdsAllowlist !== true) return HAS_OWN_TOOLS;
  return async (request) => {
    const isOffered = executor.toolForm?.(need.llm.provider).offered === true;
    const system =
      isOffered || request.tools.length === 0
        ? request.system
        : `${request.system}\n\n${renderReadTools(request.tools)}`;
    const { result } = await runChatSession({
      request: { ...request, system },
      resume: null,
      command: need.command,
      linesAreAnswer: true,
      start: (session) => executor.run(session),
    });
    // The next turn gets everything again, even if the session could continue.
    return {
      fallback: true,
      result: result.then((chatResult) => ({ ...chatResult, resume: null })),
    };
  };
}

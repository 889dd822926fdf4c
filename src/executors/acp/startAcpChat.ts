import type { ChatRequest, ChatRun } from '../../contract/planning/chat.ts';
import type { Clock } from '../../base/time/clock.ts';
import { toErrorMessage, SvcError } from '../../base/errors/errors.ts';
import { runChatSession } from '../process/runChatSession.ts';
import { writeSessionFiles } from '../process/writeSessionFiles.ts';
import { AcpSession } from './acpSession.ts';
import { planAcpLaunch } from './planAcpLaunch.ts';
import { requirePreset } from './requirePreset.ts';
import type { AcpConfig } from './presets/preset.ts';

export function explainAcpChatRefusal(config: AcpConfig, provider: string): string | null {
  try {
    return requirePreset(provider, config).cannotChat;
  } catch (error) {
    return toErrorMessage(error).replace(/\.$/, '');
  }
}

interface AcpChatOptions {
  request: ChatRequest;
  config: AcpConfig;
  clock: Clock;
  /** Wait between SIGTERM and SIGKILL at the end of the chat, ms. */
  graceMs: number;
}

/**
 * One turn of a plan-mode chat in an agent of its own. Its model has the tools of the chat and none
 * of the program's; every permission that the agent asks for is refused. A conversation is never
 * continued: each turn gets all of it. Throws SvcError `bad-argument` for an agent that cannot be
 * limited this way.
 */
export async function startAcpChat({
  request,
  config,
  clock,
  graceMs,
}: AcpChatOptions): Promise<ChatRun> {
  const { llm, maxRounds } = request;
  const preset = requirePreset(llm.provider, config);
  if (preset.cannotChat !== null)
    throw new SvcError(
      'bad-argument',
      `A chat with acp:${preset.id} cannot be held read-only: ${preset.cannotChat}. Choose another provider for the alias planning.`,
    );
  return runChatSession({
    request,
    resume: null,
    command: null,
    linesAreAnswer: false,
    async start(session, onAgain) {
      const made = await planAcpLaunch(preset, session, config, { maxRounds });
      await writeSessionFiles(session);
      return new AcpSession({ request: session, plan: made, clock, graceMs, chat: { onAgain } });
    },
  });
}

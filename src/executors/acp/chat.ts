import type { ChatRequest, ChatRun } from '../../contract/chat.ts';
import type { Clock } from '../../lib/clock.ts';
import { messageOf, SvcError } from '../../lib/errors.ts';
import { chatThrough } from '../process/chatThrough.ts';
import { writeSessionFiles } from '../process/sessionFiles.ts';
import { AcpSession } from './acpSession.ts';
import { plan } from './plan.ts';
import { presetOf } from './presetOf.ts';
import type { AcpConfig } from './presets/preset.ts';

/** Why a chat with this agent cannot be held read-only, as a clause; null = it can. */
export function acpCannotChat(config: AcpConfig, provider: string): string | null {
  try {
    return presetOf(provider, config).cannotChat;
  } catch (error) {
    return messageOf(error).replace(/\.$/, '');
  }
}

interface AcpChatOptions {
  request: ChatRequest;
  config: AcpConfig;
  clock: Clock;
  /** Wait between SIGTERM and SIGKILL when it is over, ms. */
  graceMs: number;
}

/**
 * One turn of a plan-mode chat in an agent of its own. Its model has the tools of the chat and none
 * of the program's, and whatever the agent asks permission for is refused. It never continues a
 * conversation of the agent's: each turn is given everything. Throws SvcError `bad-argument` for an
 * agent that cannot be held so.
 */
export async function startAcpChat({
  request,
  config,
  clock,
  graceMs,
}: AcpChatOptions): Promise<ChatRun> {
  const { llm, maxRounds } = request;
  const preset = presetOf(llm.provider, config);
  if (preset.cannotChat !== null)
    throw new SvcError(
      'bad-argument',
      `A chat with acp:${preset.id} cannot be held read-only: ${preset.cannotChat}. Choose another provider for the alias planning.`,
    );
  return chatThrough({
    request,
    resume: null,
    command: null,
    linesAreAnswer: false,
    async start(session, onAgain) {
      const made = await plan(preset, session, config, { maxRounds });
      await writeSessionFiles(session);
      return new AcpSession({ request: session, plan: made, clock, graceMs, chat: { onAgain } });
    },
  });
}

import type { ChatRequest, ChatRun } from '../contract/planning/chat.ts';
import type { Executor } from '../contract/session/executor.ts';
import type { Billing } from '../contract/session/usageReport.ts';
import { toExecutorId, resolvePhaseModel } from '../workflows/definition/resolvePhaseModel.ts';
import { toQuotaAccountId } from '../base/agents/credentialPool.ts';
import { SvcError } from '../base/errors/errors.ts';
import type { PhaseModel, Settings } from '../contract/schema/runner/settings.ts';
import { UNKNOWN_BILLING } from '../policy/usage/ledger.ts';

/** The alias for chats without their own model. */
const PLANNING = 'planning';

export interface ChatExecutor {
  llm: PhaseModel;
  billing: Billing;
  /** Id of the account that its calls use; null = unknown. */
  accountId: string | null;
  chat(request: ChatRequest): Promise<ChatRun>;
}

/** Answers for an executor without `chat`; a text = why it cannot, as a clause. */
export type Fallback = (
  executor: Executor,
  llm: PhaseModel,
) => Promise<((request: ChatRequest) => Promise<ChatRun>) | string>;

interface ChooseOptions {
  settings: Pick<Settings, 'llm'>;
  executors(): readonly Executor[];
  fallback: Fallback;
  /** Why programs of an executor must not run here, as a clause; null = they may. */
  refusal(executor: string): Promise<string | null>;
}

/** A person's choice; null = the alias `planning`. */
export interface Choice {
  provider: string | null;
  model: string | null;
}

/** The model of a choice; the name of an alias stands for the alias. */
export function resolveChosenModel(
  { llm }: Pick<Settings, 'llm'>,
  { provider, model }: Choice,
): PhaseModel {
  const isAlias = model !== null && Object.hasOwn(llm.aliases, model);
  const base = resolvePhaseModel(llm, { model: isAlias ? model : PLANNING, provider });
  return model === null || isAlias ? base : { ...base, model, reasoningEffort: null };
}

const holdsOwnChat = (executor: Executor, llm: PhaseModel): boolean =>
  executor.chat !== undefined &&
  (executor.capabilities.chat ?? 'none') !== 'none' &&
  (executor.cannotChat?.({ llm, command: null }) ?? null) === null;

/** Why it cannot be used with its set-up; null = no known reason. */
const describeExecutorLack = (executor: Executor, llm: PhaseModel): string | null =>
  executor.lacks?.({ llm, command: null }) ?? null;

/** Other executors that could hold the chat with their current set-up. */
const listOtherChatExecutors = (executors: readonly Executor[], llm: PhaseModel): string[] =>
  executors
    .filter((one) => {
      const own = { ...llm, provider: one.id, model: null };
      return holdsOwnChat(one, own) && describeExecutorLack(one, own) === null;
    })
    .map(({ id }) => id);

function createNoLlmError(llm: PhaseModel, why: string, able: readonly string[]): SvcError {
  const how =
    able.length > 0
      ? `Set llm.aliases.${PLANNING}.provider to ${able.join(' or ')}, or choose it for this chat.`
      : 'Set up an executor that holds chats: plugins.installed.builtin.config.baseUrl with a model, or install claude; `svc doctor` shows what is missing. Then set it in llm.aliases.planning.provider.';
  return new SvcError('no-llm', `${llm.provider} cannot hold a plan-mode chat: ${why}. ${how}`, {
    data: { reason: 'no-llm' },
  });
}

/**
 * Finds who answers: the chosen executor, or the fallback if it has no chat. Throws SvcError
 * `no-llm`, which says what to set up.
 */
export const createChooser =
  ({ settings, executors, fallback, refusal }: ChooseOptions) =>
  async (choice: Choice): Promise<ChatExecutor> => {
    const llm = resolveChosenModel(settings, choice);
    const knownExecutors = executors();
    const executor = knownExecutors.find(({ id }) => id === toExecutorId(llm.provider));
    const createRefusal = (why: string) =>
      createNoLlmError(llm, why, listOtherChatExecutors(knownExecutors, llm));
    if (!executor) throw createRefusal('this executor is not installed');
    const confinementProblem = await refusal(executor.id);
    if (confinementProblem !== null) throw createRefusal(confinementProblem);
    const { chat } = executor;
    const paid = executor.billing?.({ llm, command: null }) ?? UNKNOWN_BILLING;
    const account = executor.pool?.({ llm, command: null }) ?? null;
    const accountId = account && toQuotaAccountId(account);
    const billing = { ...paid, model: llm.model ?? paid.model };
    if (chat && holdsOwnChat(executor, llm)) {
      const lack = describeExecutorLack(executor, llm);
      if (lack !== null) throw createRefusal(lack);
      return { llm, billing, accountId, chat: (request) => chat.call(executor, request) };
    }
    const way = await fallback(executor, llm);
    if (typeof way === 'string')
      throw createRefusal(executor.cannotChat?.({ llm, command: null }) ?? way);
    return { llm, billing, accountId, chat: way };
  };

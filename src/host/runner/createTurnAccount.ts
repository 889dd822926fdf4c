import type { ChatPart, ChatResult, ChatStop } from '../../contract/planning/chat.ts';
import type { StopReason } from '../../base/jobs/stopReasons.ts';
import type { TurnAccount } from '../../intake/turnAccount.ts';
import { QuotaSession, type QuotaSessionDeps } from '../../sessions/limits/quotaSession.ts';

const STOPS: Readonly<Record<ChatStop, StopReason>> = {
  end: 'end_turn',
  rounds: 'end_turn',
  cut: 'end_turn',
  refusal: 'end_turn',
  interrupted: 'interrupted',
  quota: 'quota',
  error: 'error',
};

/**
 * A turn of a plan-mode chat as a session of its account. Only an account that is exhausted or unpaid keeps
 * it from its model: a person waits for the answer, and a short limit is waited for within the turn.
 */
export function createTurnAccount(deps: QuotaSessionDeps, accountId: string | null): TurnAccount {
  const session = new QuotaSession(deps, accountId, null, {});
  return {
    enter: () => session.enter(),
    findLimit() {
      const limit = session.findLimit();
      if (limit === null || accountId === null) return null;
      const { resetsAt = null, quota = { kind: 'exhausted', window: null } } = limit;
      // Once its time has come, a person may well be the one who tries it.
      return resetsAt !== null && resetsAt <= deps.now() ? null : { ...quota, resetsAt, accountId };
    },
    take(part: ChatPart) {
      if (part.type === 'token' || part.type === 'thinking') session.onEvent(part);
      else if (part.type === 'usage' || part.type === 'limits') session.onEvent(part);
    },
    async reportEnd({ stop, error, usage, resetsAt, quota }: ChatResult) {
      const { limit, sends } = session.end({
        stopReason: STOPS[stop],
        error,
        usage,
        resetsAt,
        ...(quota ? { quota } : {}),
      });
      if (sends.length > 0) await deps.kernel.submit({ sends });
      return limit.resetsAt ?? null;
    },
  };
}

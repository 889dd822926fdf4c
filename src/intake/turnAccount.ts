import type { ChatPart, ChatResult } from '../contract/planning/chat.ts';
import { toIsoTime } from '../base/time/toIsoTime.ts';
import type { ClosedLimit } from '../base/agents/quotaKinds.ts';
import { SvcError } from '../base/errors/errors.ts';

/** The limit because of which a turn may not use an account. */
export type ClosedAccount = ClosedLimit & { resetsAt: number | null; accountId: string };

/** A turn as a user of its model's account. */
export interface TurnAccount {
  /** Resolves when svc knows the account. */
  enter(): Promise<void>;
  /** The limit because of which the model is not asked now; null = it is asked. */
  findLimit(): ClosedAccount | null;
  take(part: ChatPart): void;
  /**
   * Reports the end of the turn to the account; if it met a limit, resolves to when the account is
   * tried again, epoch ms.
   */
  reportEnd(result: ChatResult): Promise<number | null>;
}

function describeClosedAccount({ kind, window, accountId, resetsAt }: ClosedAccount): string {
  if (kind === 'billing')
    return `The model was not asked: the account ${accountId} is unpaid. Pay its bill, run svc accounts retry ${accountId}, and ask again.`;
  const limit = window === null ? '' : ` (limit of ${window})`;
  const until = resetsAt === null ? '' : ` It takes requests again at ${toIsoTime(resetsAt)}.`;
  return `The model was not asked: ${accountId} is exhausted${limit}.${until}`;
}

/** Why a turn has ended without asking its model, or without asking it again. */
export const createClosedAccountError = (closedAccount: ClosedAccount): SvcError =>
  new SvcError('not-possible-now', describeClosedAccount(closedAccount), {
    data: { reason: 'quota' },
  });

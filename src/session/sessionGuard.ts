import type { SessionResult } from '../contract/executor.ts';
import type { SessionRef } from '../contract/sessionRef.ts';
import { subjectOf } from '../guardrails/jobFacts.ts';
import type { CallGuard } from '../tools/phaseTools.ts';
import type { OpenSessionDeps } from './openSessionDeps.ts';

type GuardDeps = Pick<OpenSessionDeps, 'guardrails' | 'contextOf' | 'budgets' | 'log'>;

/**
 * Asks the rules before each tool call of a session. Once one of them has made the job wait for a
 * person, the session's calls are refused until its end.
 */
export const sessionGuard =
  ({ guardrails, contextOf, budgets, log }: GuardDeps, ref: SessionRef): CallGuard =>
  async (tool, args) => {
    const { jobId, phase } = ref;
    const held = guardrails.decisions.held(jobId, ref);
    if (held)
      return {
        refused: `${tool}: nothing was done, because this job waits for a person. ${held.message}. End your turn.`,
        args: { ...args },
      };
    const decision = await guardrails.check(
      subjectOf(contextOf(jobId), {
        moment: 'tool.before',
        tool,
        args,
        phase,
        usdLeft: budgets.usdLeft(jobId),
      }),
      ref,
    );
    const { result, message } = decision;
    if (result !== 'pass')
      await log(ref, [{ from: 'runner', tag: 'guardrail', line: `${result}: ${message}` }]);
    const refused = result === 'deny' || result === 'park';
    return {
      refused: refused ? `${tool}: nothing was done. ${message}` : null,
      args: decision.args,
    };
  };

/**
 * Asks the rules at the end of a session: the rule for which the job has to wait for a person, this
 * one or one of an earlier call. A session that did not come to its own end is asked nothing.
 */
export async function endOfPhase(
  { guardrails, contextOf, budgets, log }: GuardDeps,
  ref: SessionRef,
  { stopReason }: Pick<SessionResult, 'stopReason'>,
): Promise<{ held?: { rule: string; text: string } }> {
  const { jobId, phase } = ref;
  if (stopReason === 'end_turn') {
    const subject = subjectOf(contextOf(jobId), {
      moment: 'phase.end',
      phase,
      usdLeft: budgets.usdLeft(jobId),
    });
    const { result, rule, message } = await guardrails.check(subject, ref);
    if (result !== 'pass')
      await log(ref, [{ from: 'runner', tag: 'guardrail', line: `${result}: ${message}` }]);
    if (result === 'deny') return { held: { rule: rule ?? '', text: message } };
  }
  const held = guardrails.decisions.held(jobId, ref);
  return held ? { held: { rule: held.rule, text: held.message } } : {};
}

import { isAbsolute, relative, resolve } from 'node:path';
import type { CallJudge } from '../../contract/session/ownCall.ts';
import type { SessionResult } from '../../contract/session/executor.ts';
import type { SessionRef } from '../../contract/session/sessionRef.ts';
import { buildRuleSubject } from '../../policy/guardrails/buildRuleSubject.ts';
import type { Subject } from '../../policy/guardrails/rule.ts';
import type { CallGuard } from '../../executors/tools/host/phaseTools.ts';
import type { OpenSessionDeps } from './openSessionDeps.ts';

type GuardDeps = Pick<OpenSessionDeps, 'guardrails' | 'readContext' | 'budgets' | 'log'>;

/**
 * Checks the rules before each call of a session. After one of them has made the job wait for a
 * person, all further calls of the session are refused.
 */
const createCallCheck =
  ({ guardrails, readContext, budgets, log }: GuardDeps, ref: SessionRef) =>
  async (subject: Pick<Subject, 'tool' | 'args'> & Partial<Pick<Subject, 'diff'>>) => {
    const { jobId, phase } = ref;
    const { tool } = subject;
    const heldRule = guardrails.decisions.findHeldRule(jobId, ref);
    if (heldRule)
      return {
        result: 'park' as const,
        refused: `${tool}: nothing was done, because this job waits for a person. ${heldRule.message}. End your turn.`,
        note: null,
        args: { ...subject.args },
        message: heldRule.message,
      };
    const decision = await guardrails.check(
      buildRuleSubject(readContext(jobId), {
        moment: 'tool.before',
        ...subject,
        phase,
        usdLeft: budgets.usdLeft(jobId),
      }),
      ref,
    );
    const { result, message, args } = decision;
    if (result !== 'pass')
      await log(ref, [{ from: 'runner', tag: 'guardrail', line: `${result}: ${message}` }]);
    const refused = result === 'deny' || result === 'park';
    return {
      result,
      refused: refused ? `${tool}: nothing was done. ${message}` : null,
      note:
        result === 'redact'
          ? `${tool} was done without a part of what it was given. ${message}`
          : null,
      args,
      message,
    };
  };

/** Checks the rules before each call of a job tool. */
export const createSessionGuard = (deps: GuardDeps, ref: SessionRef): CallGuard => {
  const check = createCallCheck(deps, ref);
  return (tool, args) => check({ tool, args });
};

/** A file's name for rules: relative to the checkout if it is in it. */
const toCheckoutPath = (cwd: string, path: string): string => {
  const relativePath = relative(cwd, resolve(cwd, path));
  return relativePath.startsWith('..') || isAbsolute(relativePath)
    ? resolve(cwd, path)
    : relativePath;
};

/**
 * Checks the rules before each call of the agent program's own tools. svc does not carry these out,
 * so a call whose text would have to be changed is refused.
 */
export const createOwnCallGuard = (
  deps: GuardDeps,
  ref: SessionRef,
  cwd: string,
): NonNullable<CallJudge['guard']> => {
  const check = createCallCheck(deps, ref);
  return async ({ tool, args, changes }) => {
    const paths = changes.map((path) => toCheckoutPath(cwd, path));
    const diff = paths.length === 0 ? null : { paths, lines: 0, added: [], hash: paths.join('\n') };
    const at = typeof args.path === 'string' && diff ? { path: paths[0] } : {};
    const { result, refused, message } = await check({ tool, args: { ...args, ...at }, diff });
    return result === 'redact' ? `${tool}: nothing was done. ${message}` : refused;
  };
};

/**
 * Checks the rules at the end of a session. Returns the rule, of this check or an earlier call, for
 * which the job has to wait for a person. A session that did not end by itself is not checked.
 */
export async function checkEndOfPhase(
  { guardrails, readContext, budgets, log }: GuardDeps,
  ref: SessionRef,
  { stopReason }: Pick<SessionResult, 'stopReason'>,
): Promise<{ held?: { rule: string; text: string } }> {
  const { jobId, phase } = ref;
  if (stopReason === 'end_turn') {
    const subject = buildRuleSubject(readContext(jobId), {
      moment: 'phase.end',
      phase,
      usdLeft: budgets.usdLeft(jobId),
    });
    const { result, rule, message } = await guardrails.check(subject, ref);
    if (result !== 'pass')
      await log(ref, [{ from: 'runner', tag: 'guardrail', line: `${result}: ${message}` }]);
    // The sentence continues in the reason of the waiting job.
    if (result === 'deny') return { held: { rule: rule ?? '', text: message.replace(/\.$/, '') } };
  }
  const heldRule = guardrails.decisions.findHeldRule(jobId, ref);
  return heldRule ? { held: { rule: heldRule.rule, text: heldRule.message } } : {};
}

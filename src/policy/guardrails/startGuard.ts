import type { NewJob } from '../budgets/deriveNewJobFacts.ts';
import type { Guardrails } from './guardrails.ts';
import { buildRuleSubject } from './buildRuleSubject.ts';
import type { Subject } from './rule.ts';
import { type FieldError, SvcError } from '../../base/errors/errors.ts';

interface StartGuardDeps {
  guardrails: Pick<Guardrails, 'check'>;
}

/** Asks no rules, for a job that does not begin. */
export const NO_RULES: StartGuardDeps['guardrails'] = {
  check: async ({ args }) => ({ result: 'pass', rule: null, message: '', args: { ...args } }),
};

const buildStartSubject = (
  { workflowPath, params, interactive }: Omit<NewJob, 'workflow'>,
  part: Partial<Subject>,
): Subject =>
  buildRuleSubject(
    { id: '', workflowPath, params, interactive },
    { moment: 'job.start', args: params, ...part },
  );

/**
 * Asks the rules before people, triggers or campaigns begin a job. Throws SvcError `guardrail` with
 * the refusing rule and what to do instead.
 */
export async function refuseByRule(
  { guardrails }: StartGuardDeps,
  job: NewJob,
  actor: Exclude<Subject['actor'], 'agent'>,
): Promise<void> {
  const phase = job.workflow.initial_phase;
  const decision = await guardrails.check(buildStartSubject(job, { actor, phase }));
  if (decision.result !== 'deny') return;
  throw new SvcError(
    'guardrail',
    `The job cannot start: ${decision.message} Start it otherwise, or change the rule (guardrails.rules of the configuration).`,
    { data: { rule: decision.rule } },
  );
}

/** Counts a job with an unknown repository, which is refused whatever the rules say. */
export async function countUnknownRepo(
  { guardrails }: StartGuardDeps,
  { workflowPath, params }: Pick<NewJob, 'workflowPath' | 'params'>,
  [unknown]: readonly FieldError[],
): Promise<void> {
  if (unknown === undefined) return;
  const mistakeText = `${unknown.pointer} ${unknown.message}`;
  const job = { workflowPath, params, interactive: params.interactive === true };
  await guardrails.check(buildStartSubject(job, { actor: 'person', refused: mistakeText }));
}

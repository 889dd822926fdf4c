import type { JobContext } from '../../../../machines/index.ts';
import type { Runner } from '../../../contract/runner/runner.ts';
import { DEFAULT_DRY_RUN_JOBS } from '../../../base/agents/guardrails.ts';
import type { ActorState } from '../../../kernel/chart.ts';
import { resolveConfiguredRules } from '../resolveConfiguredRules.ts';
import type { Guardrails } from '../guardrails.ts';
import { buildRuleSubject } from '../buildRuleSubject.ts';
import { isAsked } from '../evaluateRule.ts';
import type { Rule, Subject } from '../rule.ts';
import type { ScriptRule } from '../readScriptRules.ts';
import { suggestClosestName } from '../../../base/text/findClosestName.ts';
import { SvcError } from '../../../base/errors/errors.ts';
import { sha256 } from '../../../base/system/ids/ids.ts';
import type { DryRunQuestion, DryRunBody } from '../../../contract/schema/policy/dryRun.ts';
import type { GuardrailEntry } from '../../../contract/schema/policy/guardrail.ts';
import { DryRun, type DryRunDeps, listNewestJobIds } from './dryRunHistory.ts';
import { toGuardrailRule } from '../guardrailViews.ts';

interface DryRunServiceDeps extends Omit<DryRunDeps, 'ask'> {
  guardrails: Guardrails;
  /** Throws SvcError `not-found`. */
  readState(jobId: string): ActorState<JobContext>;
}

const NO_JOB = { id: '', workflowPath: '', params: {}, interactive: false };

function parseCandidateRule(entry: GuardrailEntry): Rule {
  const { rules, mistakes } = resolveConfiguredRules([entry]);
  const rule = rules.find(({ id }) => id === entry.id);
  if (mistakes.length === 0 && rule) return rule;
  throw new SvcError('invalid', mistakes.map(({ message }) => message).join(' '), {
    errors: mistakes.map(({ key, message }) => ({
      pointer: key === null ? '/candidate' : `/candidate/${key}`,
      message,
    })),
  });
}

/** What a rule would do to a made-up subject and to the jobs of the store. Nothing is stored. */
export const createDryRunService = (deps: DryRunServiceDeps): Pick<Runner, 'dryRunGuardrail'> => {
  const { guardrails, readState } = deps;

  const findRule = async ({ rule: id, candidate }: DryRunBody): Promise<Rule | ScriptRule> => {
    if ((id === undefined) === (candidate === undefined))
      throw new SvcError('invalid', 'Give either rule or candidate.', {
        errors: [{ pointer: '/rule', message: 'give it, or candidate' }],
      });
    if (candidate !== undefined) return parseCandidateRule(candidate);
    const { coded, scripts } = await guardrails.rules();
    const rules = [...coded, ...scripts];
    const rule = rules.find((one) => one.id === id);
    if (rule) return rule;
    const names = rules.map((one) => one.id);
    throw new SvcError(
      'not-found',
      `No rule ${id} exists. ${suggestClosestName(String(id), names)}`,
    );
  };

  const subjectFor = (rule: Rule | ScriptRule, question: DryRunQuestion): Subject => {
    const { moment = rule.when[0] ?? 'tool.before', args = {}, phase = '' } = question;
    const tool = question.tool ?? rule.tools?.[0] ?? '';
    const { paths, lines = 0, added = '', job } = question;
    const context = job === undefined ? NO_JOB : readState(job).context;
    const [first = ''] = paths ?? [];
    const diff = paths && {
      paths,
      lines,
      added: added === '' ? [] : [{ path: first, text: added }],
      hash: sha256(JSON.stringify(question)),
    };
    return buildRuleSubject(context, { moment, tool, args, phase, diff: diff ?? null });
  };

  return {
    async dryRunGuardrail(body, signal) {
      const rule = await findRule(body);
      const triedRule = { ...rule, enabled: true };
      const { asked, history } = body;
      const ask = (one: Rule | ScriptRule, subject: Subject) => guardrails.ask(one, subject);
      const tryOne = async (question: DryRunQuestion) => {
        const subject = subjectFor(rule, question);
        const outcome = await ask(triedRule, subject);
        return {
          isAsked: isAsked(triedRule, subject),
          result: outcome?.result ?? ('pass' as const),
          message: outcome?.message ?? '',
        };
      };
      const tryHistory = async ({
        job,
        jobs = DEFAULT_DRY_RUN_JOBS,
      }: NonNullable<typeof history>) => {
        if (job !== undefined) readState(job);
        const ids =
          job === undefined
            ? listNewestJobIds(deps, jobs)
            : (async function* () {
                yield job;
              })();
        return new DryRun({ ...deps, ask }, rule, signal).replayJobs(ids, body.rule !== undefined);
      };
      return {
        rule: toGuardrailRule(rule),
        asked: asked === undefined ? null : await tryOne(asked),
        history: history === undefined ? null : await tryHistory(history),
      };
    },
  };
};

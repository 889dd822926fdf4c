import type { Log } from '../../base/system/log/log.ts';
import { screenTexts } from '../../base/secrets/screenSecrets.ts';
import type { GuardrailEntry } from '../../contract/schema/policy/guardrail.ts';
import {
  type DecisionDeps,
  Decisions,
  type VisitPlace,
  type TimedOutcome,
  WAY_OUT,
} from './decisions.ts';
import { resolveConfiguredRules } from './resolveConfiguredRules.ts';
import {
  pickHeaviestOutcome,
  isAsked,
  type RuleOutcome,
  evaluateRule,
  formatRuleMessage,
} from './evaluateRule.ts';
import type { Rule, Subject } from './rule.ts';
import { runScript } from './runScript.ts';
import type { ScriptRule, ScriptRules } from './readScriptRules.ts';
import { hashRuleSubject } from './hashRuleSubject.ts';

export interface GuardrailDeps extends DecisionDeps {
  /** `guardrails` of the configuration; read at each use. */
  settings: { guardrails: { enabled: boolean; rules: readonly GuardrailEntry[] } };
  /** The present scripts; read at each use. */
  scripts(): Promise<ScriptRules>;
  measureElapsed(): number;
  screen(text: string): string;
  log: Pick<Log, 'warn' | 'error'>;
}

/** The result of all rules together. */
export interface Decision {
  result: 'pass' | RuleOutcome['result'];
  /** The deciding rule; null = every rule passes. */
  rule: string | null;
  /** What is wrong and what to do; empty = nothing. */
  message: string;
  /** The arguments to continue with, without what `redact` removes. */
  args: Record<string, unknown>;
}

export class Guardrails {
  readonly decisions: Decisions;
  readonly #deps: GuardrailDeps;
  #reported: ReadonlySet<string> = new Set();
  #compiled: { of: readonly GuardrailEntry[]; rules: readonly Rule[] } | null = null;

  constructor(deps: GuardrailDeps) {
    this.#deps = deps;
    this.decisions = new Decisions(deps);
  }

  /**
   * The present rules; scripts are read again each time. Files that only look like rules are
   * logged, once while they stay the same.
   */
  async rules(): Promise<{
    coded: readonly Rule[];
    scripts: readonly ScriptRule[];
    ignored: readonly string[];
  }> {
    const { settings, scripts, log } = this.#deps;
    const configuredRules = this.#compileRules(settings.guardrails.rules);
    const { rules, ignored } = await scripts();
    for (const what of ignored)
      if (!this.#reported.has(what))
        log.warn({ what }, 'a file in the folder guardrails is not a rule');
    this.#reported = new Set(ignored);
    return {
      coded: configuredRules,
      scripts: rules.map((rule) => markScriptNameConflict(rule, configuredRules)),
      ignored,
    };
  }

  /**
   * Asks the rules and stores the decision: one that is not `pass` is durable before this resolves.
   * Rejects only if that fails.
   */
  async check(subject: Subject, place: VisitPlace = { visit: 0, session: 0 }): Promise<Decision> {
    const args = { ...subject.args };
    if (!this.#deps.settings.guardrails.enabled) return { ...PASS, args };
    const hash = hashRuleSubject(subject);
    const outcomes = (
      await this.evaluateRules(subject, (rule) => this.decisions.countPass(rule, subject.moment))
    ).filter(
      ({ outcome }) => !this.decisions.isAllowed(subject.job.id, subject.moment, hash, outcome),
    );
    if (outcomes.length > 0) await this.decisions.keep(subject, place, hash, outcomes);
    const outcome = pickHeaviestOutcome(outcomes.map((one) => one.outcome));
    if (outcome === null) return { ...PASS, args };
    const { result, rule } = outcome;
    return {
      result,
      rule,
      message: result === 'park' ? `${outcome.message} ${WAY_OUT}` : outcome.message,
      args: result === 'redact' ? this.#redactArguments(args, outcomes) : args,
    };
  }

  async evaluateRules(
    subject: Subject,
    onPass: (rule: string) => void = () => {},
  ): Promise<TimedOutcome[]> {
    const { measureElapsed: elapsed } = this.#deps;
    const { coded, scripts } = await this.rules();
    const timedOutcomes: TimedOutcome[] = [];
    const take = (outcome: RuleOutcome, began: number) =>
      timedOutcomes.push({ outcome: denyParkAtJobStart(subject, outcome), ms: elapsed() - began });
    for (const rule of coded) {
      const began = elapsed();
      const outcome = evaluateRule(rule, subject);
      if (outcome) take(outcome, began);
      else if (isAsked(rule, subject)) onPass(rule.id);
    }
    // A refusal needs no further program.
    if (timedOutcomes.some(({ outcome }) => outcome.result === 'deny')) return timedOutcomes;
    for (const rule of scripts.filter((one) => isAsked(one, subject))) {
      const began = elapsed();
      const outcome = await this.#ofScript(rule, subject);
      if (outcome) take(outcome, began);
      else onPass(rule.id);
    }
    return timedOutcomes;
  }

  async ask(rule: Rule | ScriptRule, subject: Subject): Promise<RuleOutcome | null> {
    const isScript = rule.source === 'script';
    if (isScript && !isAsked(rule, subject)) return null;
    const outcome = isScript ? await this.#ofScript(rule, subject) : evaluateRule(rule, subject);
    return outcome && denyParkAtJobStart(subject, outcome);
  }

  #compileRules(entries: readonly GuardrailEntry[]): readonly Rule[] {
    if (this.#compiled?.of !== entries)
      this.#compiled = { of: entries, rules: resolveConfiguredRules(entries).rules };
    return this.#compiled.rules;
  }

  async #ofScript(rule: ScriptRule, subject: Subject): Promise<RuleOutcome | null> {
    const { screen, log } = this.#deps;
    const says = (result: RuleOutcome['result'], what: string): RuleOutcome => ({
      rule: rule.id,
      result,
      message: formatRuleMessage(rule.id, screen(what), rule.message),
      script: rule.hash,
    });
    const answer =
      rule.problem === null
        ? await runScript(rule.file, `${JSON.stringify(subject)}\n`, rule.timeoutMs)
        : { result: 'failed' as const, message: rule.problem };
    if (answer.result === 'pass') return null;
    if (answer.result !== 'failed') return says(answer.result, answer.message);
    log.warn(
      { rule: rule.id, problem: screen(answer.message) },
      'the script of a guardrail failed',
    );
    if (rule.do === 'note') return null;
    return says(
      'deny',
      `${answer.message}, and what is not checked is not done. A person can look at the script`,
    );
  }

  #redactArguments(
    args: Record<string, unknown>,
    timedOutcomes: readonly TimedOutcome[],
  ): Record<string, unknown> {
    const names = new Set(timedOutcomes.map(({ outcome }) => outcome.rule));
    const takes = this.#compileRules(this.#deps.settings.guardrails.rules).filter(({ id }) =>
      names.has(id),
    );
    return takes.reduce<Record<string, unknown>>(
      (rest, { redact }) =>
        redact ? (screenTexts(rest, redact) as Record<string, unknown>) : rest,
      args,
    );
  }
}

/** A script with another rule's name refuses everything: allowing one would allow both. */
function markScriptNameConflict(rule: ScriptRule, configuredRules: readonly Rule[]): ScriptRule {
  const other = configuredRules.find(({ id }) => id === rule.id);
  if (other === undefined) return rule;
  const whose = other.source === 'config' ? 'the configuration' : 'svc';
  const problem = `${rule.file} has the name of a rule of ${whose}; rename it, and its description with it`;
  return { ...rule, problem };
}

/** Refused, because no job exists yet that could wait for a person. */
const denyParkAtJobStart = ({ moment }: Subject, outcome: RuleOutcome): RuleOutcome =>
  moment === 'job.start' && outcome.result === 'park' ? { ...outcome, result: 'deny' } : outcome;

const PASS = { result: 'pass', rule: null, message: '' } as const;

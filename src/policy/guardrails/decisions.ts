import {
  ANY_SUBJECT,
  type GuardrailMoment,
  isSizeRule,
  MAX_KEPT_DECISIONS,
} from '../../base/agents/guardrails.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { RowChange } from '../../contract/records/changes.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type { TypedRows } from '../../kernel/typedRows.ts';
import type { Caller } from '../../contract/schema/runner/caller.ts';
import type { RuleOutcome } from './evaluateRule.ts';
import type { Subject } from './rule.ts';
import { deriveDecisionId } from './hashRuleSubject.ts';

type DecisionRow = Tables['guardrail_decisions'];

export interface DecisionDeps {
  rows: TypedRows<Tables>;
  writeRows(changes: RowChange[]): Promise<void>;
  now(): number;
}

export interface VisitPlace {
  visit: number;
  session: number;
}

export interface HeldRule {
  rule: string;
  id: string;
  message: string;
}

export interface TimedOutcome {
  outcome: RuleOutcome;
  ms: number;
}

/** Decisions of rules: one row for each that is not `pass`; passes are counted. */
export class Decisions {
  readonly #deps: DecisionDeps;
  /** Counts that are written with the next decision or end of a phase. */
  readonly #passes = new Map<
    string,
    { rule: string; moment: GuardrailMoment; listPasses: number }
  >();

  constructor(deps: DecisionDeps) {
    this.#deps = deps;
  }

  findHeldRule(jobId: string, { visit, session }: VisitPlace): HeldRule | null {
    const rows = this.#deps.rows.all('guardrail_decisions', {
      job_id: jobId,
      visit,
      session,
      result: 'park',
    });
    const [first] = rows
      .filter(({ allowed_at }) => allowed_at === null)
      .sort((a, b) => a.at - b.at);
    if (!first) return null;
    const id = deriveDecisionId(first.rule, first.moment, first.subject);
    return { rule: first.rule, id, message: `${first.message} ${WAY_OUT}` };
  }

  list(jobId: string | null, limit: number): (DecisionRow & { id: string })[] {
    return this.#deps.rows
      .all('guardrail_decisions', jobId === null ? {} : { job_id: jobId }, {
        order: 'at',
        desc: true,
        limit,
      })
      .map((row) => ({ ...row, id: deriveDecisionId(row.rule, row.moment, row.subject) }));
  }

  async passes(): Promise<Tables['guardrail_passes'][]> {
    await this.flush();
    return this.#deps.rows.all('guardrail_passes');
  }

  /**
   * Allows exactly this for this job from now on; with `anySize` any change that the rule finds too
   * large. Only a person does this. Throws SvcError `not-found`, `not-possible-now` for what no one
   * can allow, `bad-argument` for any size of a rule that is not about sizes.
   */
  async allow(
    jobId: string,
    id: string,
    by: Caller,
    { anySize = false }: { anySize?: boolean } = {},
  ): Promise<DecisionRow> {
    const row = this.list(jobId, MAX_KEPT_DECISIONS).find((one) => one.id === id);
    if (!row) throw new SvcError('not-found', `${jobId} has no decision ${id} of a guardrail.`);
    if (row.result !== 'park')
      throw new SvcError(
        'not-possible-now',
        `${row.rule} does not wait for a person (${row.result}). Change the rule in the configuration (guardrails.rules) if it should.`,
      );
    const { job_id, rule, moment, subject } = row;
    if (anySize && !isSizeRule(rule))
      throw new SvcError(
        'bad-argument',
        `${rule} is not about the size of a change, so any size cannot be allowed. Allow exactly this one.`,
      );
    const set = { allowed_at: this.#deps.now(), allowed_by: by };
    const { id: _id, ...kept } = row;
    const any: RowChange = {
      op: 'put',
      table: 'guardrail_decisions',
      row: { ...kept, ...set, subject: ANY_SUBJECT },
    };
    await this.#deps.writeRows([
      { op: 'patch', table: 'guardrail_decisions', key: { job_id, rule, moment, subject }, set },
      ...(anySize ? [any] : []),
    ]);
    return { ...row, ...set };
  }

  async flush(): Promise<void> {
    const rows = this.takePasses();
    if (rows.length > 0) await this.#deps.writeRows(rows);
  }

  /** Whether a person has allowed exactly this, or any size of it. */
  isAllowed(
    jobId: string,
    moment: GuardrailMoment,
    subject: string,
    outcome: RuleOutcome,
  ): boolean {
    const { result, rule, script } = outcome;
    if (result !== 'park' || jobId === '') return false;
    const subjects = isSizeRule(rule) ? [subject, ANY_SUBJECT] : [subject];
    return subjects.some((one) => {
      const key = { job_id: jobId, rule, moment, subject: one };
      const row = this.#deps.rows.one('guardrail_decisions', key);
      // A changed script may decide otherwise.
      return row !== undefined && row.allowed_at !== null && row.script === script;
    });
  }

  countPass(rule: string, moment: GuardrailMoment): void {
    const key = `${rule} ${moment}`;
    const passes = (this.#passes.get(key)?.listPasses ?? 0) + 1;
    this.#passes.set(key, { rule, moment, listPasses: passes });
  }

  /** The rows of passes since the last call, to be written with something else. */
  takePasses(): RowChange[] {
    const passCounts = [...this.#passes.values()];
    this.#passes.clear();
    return passCounts.map(({ rule, moment, listPasses: passes }) => {
      const before = this.#deps.rows.all('guardrail_passes', { rule, moment })[0]?.passes ?? 0;
      return {
        op: 'put',
        table: 'guardrail_passes',
        row: { rule, moment, passes: before + passes },
      };
    });
  }

  /** Stores what did not pass; resolves when it is durable. */
  async keep(
    subject: Subject,
    { visit, session }: VisitPlace,
    hash: string,
    timedOutcomes: readonly TimedOutcome[],
  ): Promise<void> {
    const { rows, now, writeRows } = this.#deps;
    const { job, moment, tool, phase } = subject;
    const changes = timedOutcomes.map(({ outcome, ms }): RowChange => {
      const { rule, result, message, script } = outcome;
      const key = { job_id: job.id, rule, moment, subject: hash };
      const times = (rows.all('guardrail_decisions', key)[0]?.times ?? 0) + 1;
      const recordedDecision = { result, tool, message, phase, visit, session, script };
      return {
        op: 'put',
        table: 'guardrail_decisions',
        row: {
          ...key,
          ...recordedDecision,
          at: now(),
          times,
          ms: Math.round(ms),
          allowed_at: null,
          allowed_by: null,
        },
      };
    });
    await writeRows([...changes, ...this.#tooMany(job.id, changes.length), ...this.takePasses()]);
  }

  #tooMany(jobId: string, more: number): RowChange[] {
    const { rows } = this.#deps;
    const over = rows.count('guardrail_decisions', { job_id: jobId }) + more - MAX_KEPT_DECISIONS;
    if (over <= 0) return [];
    return rows
      .all('guardrail_decisions', { job_id: jobId, allowed_at: null }, { order: 'at', limit: over })
      .map(({ job_id, rule, moment, subject }) => ({
        op: 'drop',
        table: 'guardrail_decisions',
        key: { job_id, rule, moment, subject },
      }));
  }
}

/** What a person can do about a decision to wait. */
export const WAY_OUT =
  'A person can allow exactly this for the job, resume it with a message that says what to do instead, or change the rule in guardrails.rules of the configuration';

import type { Runner } from '../../contract/runner/runner.ts';
import {
  DEFAULT_DECISIONS,
  MAX_KEPT_DECISIONS,
  findNamedRule,
} from '../../base/agents/guardrails.ts';
import { MANUAL_RESUME } from '../../base/jobs/resumeKeys.ts';
import type { GuardrailReader } from './guardrailReader.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';
import type { Guardrails } from './guardrails.ts';
import { suggestClosestName } from '../../base/text/findClosestName.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type { Parked } from '../../contract/schema/job/parked.ts';
import { toCountedGuardrailRule, toGuardrailDecision } from './guardrailViews.ts';

interface GuardrailServiceDeps {
  guardrails: Guardrails;
  settings: { guardrails: { enabled: boolean } };
  rows: RowReader;
  reader: GuardrailReader;
  /** Why a job waits; null = it does not. Throws SvcError `not-found`. */
  readParked(jobId: string): Pick<Parked, 'kind' | 'reason'> | null;
  resume: Runner['resume'];
}

/** Drops undefined members: a filter of rows would take them for values. */
const omitUndefinedFilters = <T extends object>(filter: T) =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as Partial<
    Tables['guardrail_decisions']
  >;

const describeNothingDecided = (jobId: string, rule: string, others: readonly string[]): string =>
  others.length === 0
    ? `No rule has stopped ${jobId}, so there is nothing to allow. If a rule makes it wait, svc why ${jobId} shows the rule.`
    : `The rule ${rule} has no decisions for ${jobId}. ${suggestClosestName(rule, others)}`;

/** The rules as people see them, and what people allow. */
export const createGuardrailService = ({
  guardrails,
  settings,
  rows,
  reader,
  readParked,
  resume,
}: GuardrailServiceDeps): Pick<Runner, 'guardrails' | 'guardrailDecisions' | 'allowGuardrail'> => ({
  async guardrails() {
    const { coded, scripts, ignored } = await guardrails.rules();
    const passes = await guardrails.decisions.passes();
    const results = reader.counts();
    return {
      enabled: settings.guardrails.enabled,
      rules: [...coded, ...scripts].map((rule) => toCountedGuardrailRule(rule, passes, results)),
      ignored: [...ignored],
    };
  },
  guardrailDecisions({ job, rule, result, limit = DEFAULT_DECISIONS, offset = 0 }) {
    if (job !== undefined) readParked(job);
    const where = omitUndefinedFilters({ job_id: job, rule, result });
    return {
      decisions: rows
        .all('guardrail_decisions', where, { order: 'at', desc: true, limit, offset })
        .map(toGuardrailDecision),
      total: rows.count('guardrail_decisions', where),
    };
  },
  async allowGuardrail(
    jobId,
    { rule, decision, anySize = false, resume: continues = true },
    asker,
  ) {
    const parking = readParked(jobId);
    const openDecision = rows
      .all(
        'guardrail_decisions',
        { job_id: jobId },
        { order: 'at', desc: true, limit: MAX_KEPT_DECISIONS },
      )
      .map((row) => ({ row, view: toGuardrailDecision(row) }));
    const ofRule = openDecision.filter(({ view }) => view.rule === rule);
    const [match] =
      decision === undefined
        ? [
            ...ofRule.filter(({ view }) => view.result === 'park' && view.allowed === null),
            ...ofRule,
          ]
        : ofRule.filter(({ view }) => view.id === decision);
    if (!match)
      throw new SvcError(
        'not-found',
        decision === undefined
          ? describeNothingDecided(jobId, rule, [
              ...new Set(openDecision.map(({ view }) => view.rule)),
            ])
          : `${jobId} has no decision ${decision} of the rule ${rule}.`,
      );
    const allowedDecision = await guardrails.decisions.allow(jobId, match.view.id, asker.by, {
      anySize,
    });
    const waits = parking?.kind === 'developer' && findNamedRule(parking.reason) === rule;
    if (waits && continues)
      await resume(
        jobId,
        { eventKey: MANUAL_RESUME },
        {
          by: asker.by,
          person: asker.person,
        },
      );
    return { decision: toGuardrailDecision(allowedDecision), resumed: waits && continues };
  },
});

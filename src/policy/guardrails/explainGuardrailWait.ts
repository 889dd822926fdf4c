import { ANY_SUBJECT, isSizeRule, findNamedRule } from '../../base/agents/guardrails.ts';
import { toIsoTime } from '../../base/time/toIsoTime.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';
import type { Parked } from '../../contract/schema/job/parked.ts';
import type { WhyReply } from '../../contract/schema/api/replies.ts';

/** For a job that waits because of a rule: which rule, what the agent wanted to do, and that a person decides. */
export function explainGuardrailWait<Why extends Pick<WhyReply, 'id' | 'waitsFor'>>(
  rows: RowReader,
  why: Why,
  parking: Pick<Parked, 'kind' | 'reason'> | null,
): Why & Pick<WhyReply, 'guardrail'> {
  const rule = parking?.kind === 'developer' ? findNamedRule(parking.reason) : null;
  if (rule === null || parking === null) return why;
  const decisions = rows
    .all('guardrail_decisions', { job_id: why.id, rule }, { order: 'at', desc: true })
    .filter(({ subject }) => subject !== ANY_SUBJECT);
  const newest = decisions.find(({ allowed_at }) => allowed_at === null);
  const before = decisions.find(({ allowed_at }) => allowed_at !== null);
  const stoppedThing =
    newest?.tool === '' ? 'the end of the phase' : (newest?.tool ?? 'what it stopped');
  const allowable = newest?.result === 'park';
  const decides = `for you to decide about ${stoppedThing}, which the guardrail ${rule} stopped`;
  return {
    ...why,
    waitsFor: [...why.waitsFor, decides],
    guardrail: {
      rule,
      wanted: stoppedThing,
      allowable,
      ...(allowable && isSizeRule(rule) ? { anySize: true } : {}),
      ...(before?.allowed_at == null
        ? {}
        : { allowedBefore: { at: toIsoTime(before.allowed_at), message: before.message } }),
    },
  };
}

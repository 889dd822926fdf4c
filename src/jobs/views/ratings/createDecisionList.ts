import type { Runner } from '../../../contract/runner/runner.ts';
import type { DecisionReader } from '../../store/queries/decisionReader.ts';
import { DEFAULT_DECISIONS } from '../../../contract/schema/policy/decisionEntry.ts';
import { parseBeginning } from '../../../base/time/parseBeginning.ts';
import { toDecisionEntry, Outcomes } from './toDecisionEntry.ts';
import type { PastDeps } from './readJobPast.ts';

interface DecisionListDeps extends PastDeps {
  reader: DecisionReader;
  now(): number;
}

/** GET /decisions: answers of the decision layer with their outcomes. */
export const createDecisionList = ({
  reader,
  now,
  ...past
}: DecisionListDeps): Pick<Runner, 'decisions'> => ({
  decisions({ limit = DEFAULT_DECISIONS, offset = 0, verdict, skipped, since, ...same }) {
    const filter = {
      ...same,
      ...(verdict === undefined ? {} : { ratedAs: verdict }),
      ...(skipped === undefined ? {} : { skipped: skipped === 'true' }),
      ...(since === undefined ? {} : { since: parseBeginning('The list', since, now()) }),
    };
    const outcomes = new Outcomes(past);
    return {
      decisions: reader
        .page(filter, { limit, offset })
        .map((labelledDecision) => toDecisionEntry(labelledDecision, outcomes)),
      total: reader.total(filter),
    };
  },
});

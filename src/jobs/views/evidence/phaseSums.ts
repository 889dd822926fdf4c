import type { EvidenceQuote, PhaseEvidence } from '../../../contract/job/jobEvidence.ts';
import { MAX_EVIDENCE_EXAMPLES } from '../../../base/agents/selfUpdate.ts';
import { type EndedJob, type EndedWork, GATE } from './readEndedWork.ts';

/** Outcomes of visits that the agent did not end properly. */
const BROKEN_OFF = new Set([
  'agent-died',
  'agent-stuck',
  'failed',
  'given-up',
  'no-progress',
  'sessions-used-up',
]);

const COUNTED: Readonly<Partial<Record<EvidenceQuote['kind'], keyof PhaseEvidence & Counter>>> = {
  rerun: 'reruns',
  message: 'messages',
  'changes-requested': 'changesRequested',
  flag: 'flagged',
  'called-bad': 'calledBad',
  refusal: 'refusals',
};
type Counter = 'reruns' | 'messages' | 'changesRequested' | 'flagged' | 'calledBad' | 'refusals';

const NOTHING = {
  jobs: 0,
  visits: 0,
  gateBlocks: 0,
  reruns: 0,
  escalations: 0,
  brokenOff: 0,
  messages: 0,
  changesRequested: 0,
  rated: 0,
  flagged: 0,
  calledBad: 0,
  refusals: 0,
  usd: 0,
  tokens: 0,
};

/** Sums of ended jobs by workflow and phase. Add the newest job first. */
export class PhaseSums {
  readonly #sums = new Map<string, PhaseEvidence>();

  add({ id, workflow }: EndedJob, { visits, quotes }: EndedWork): void {
    for (const phase of new Set(visits.map((visit) => visit.phase))) {
      const own = visits.filter((visit) => visit.phase === phase);
      const evidenceQuotes = quotes.filter((quote) => quote.phase === phase);
      const sum = this.#of(workflow, phase);
      sum.jobs += 1;
      sum.visits += own.length;
      for (const { outcome, rated, usd, tokens } of own) {
        if (outcome === GATE) sum.gateBlocks += 1;
        if (outcome === 'escalated') sum.escalations += 1;
        if (outcome !== null && BROKEN_OFF.has(outcome)) sum.brokenOff += 1;
        if (rated) sum.rated += 1;
        sum.usd += usd;
        sum.tokens += tokens;
      }
      for (const { kind } of evidenceQuotes) {
        const counter = COUNTED[kind];
        if (counter !== undefined) sum[counter] += 1;
      }
      if (evidenceQuotes.length > 0 && sum.examples.length < MAX_EVIDENCE_EXAMPLES)
        sum.examples.push(id);
    }
  }

  /** Sorted by workflow, then by phase. */
  toEvidence(): PhaseEvidence[] {
    return [...this.#sums.values()]
      .map((sum) => ({ ...sum, usd: Math.round(sum.usd * 1e6) / 1e6 }))
      .toSorted((a, b) => (a.workflow + a.phase < b.workflow + b.phase ? -1 : 1));
  }

  #of(workflow: string, phase: string): PhaseEvidence {
    const key = JSON.stringify([workflow, phase]);
    const sum = this.#sums.get(key) ?? { workflow, phase, ...NOTHING, examples: [] };
    this.#sums.set(key, sum);
    return sum;
  }
}

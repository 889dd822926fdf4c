import type { DecidesQuestions, DecisionQuestion } from '../../../contract/policy/decider.ts';
import type { OverseerAnswers } from '../../../contract/schema/policy/decision.ts';
import { SITE_RULES } from './siteRules.ts';
import { DEFAULT_OBLIGATIONS } from '../obligations.ts';
import { NONE } from '../reply/readReply.ts';

/** Failures of the same kind from which an agent counts as stuck. */
const STUCK_ERRORS = 3;
/** Laps without progress from which it does. */
const STUCK_LAPS = 2;

type DigestCounts = DecisionQuestion['digest']['counts'];

/** A finding about one of the default obligations. */
interface CountFinding {
  obligation: string;
  confidence: number;
  seriousness: number;
}

const readDigestCount = (counts: DigestCounts, name: string): number => counts[name] ?? 0;

/** The first that applies; null = the numbers show nothing wrong. */
function findUnmetByCounts(counts: DigestCounts): CountFinding | null {
  const made =
    readDigestCount(counts, 'changedFiles') +
    readDigestCount(counts, 'artefacts') +
    readDigestCount(counts, 'itemUpdates');
  if (readDigestCount(counts, 'failingTests') > 0)
    return { obligation: DEFAULT_OBLIGATIONS.failures, confidence: 0.6, seriousness: 2 };
  if (made === 0 && readDigestCount(counts, 'laps') >= STUCK_LAPS)
    return { obligation: DEFAULT_OBLIGATIONS.progress, confidence: 0.8, seriousness: 2 };
  if (made === 0 && readDigestCount(counts, 'calls') > 0)
    return { obligation: DEFAULT_OBLIGATIONS.output, confidence: 0.5, seriousness: 1 };
  return null;
}

function answerByCounts({ digest: { counts }, obligations }: DecisionQuestion): OverseerAnswers {
  const found = findUnmetByCounts(counts);
  // Of obligations that a workflow declares, numbers know nothing.
  const unmet = obligations.find(({ text }) => text === found?.obligation);
  const isStuck =
    readDigestCount(counts, 'repeatedErrors') >= STUCK_ERRORS ||
    readDigestCount(counts, 'laps') >= STUCK_LAPS;
  return {
    requirement:
      found && unmet
        ? { choice: unmet.id, confidence: found.confidence }
        : { choice: NONE, confidence: found ? 0 : 0.6 },
    goal: { probability: found ? 0.5 : 0.8 },
    seriousness: { score: found?.seriousness ?? 0 },
    stuck: { probability: isStuck ? 0.8 : 0.1 },
  };
}

/**
 * The `rules` provider: plain thresholds on what the runner has counted, no network and no model.
 * For trials and for people without a key; its ratings say that they are made by rules.
 */
export const rulesDecider: DecidesQuestions = {
  async decide(question, signal) {
    signal.throwIfAborted();
    const { id, model, site } = question;
    const answers = site === 'overseer' ? answerByCounts(question) : SITE_RULES[site](question);
    return { id, model, answers };
  },
};

import type { DecidesQuestions, DecisionQuestion } from '../../../contract/policy/decider.ts';
import type { OverseerAnswers } from '../../../contract/schema/policy/decision.ts';
import { DEFAULT_OBLIGATIONS } from '../obligations.ts';
import { NONE } from '../reply/readReply.ts';
import {
  MAX_FOCUS,
  MAX_FOCUS_CHARS,
  type AnswersOf,
} from '../../../contract/schema/policy/siteAnswers.ts';

/** A text of only thanks or praise. */
const SMALL_TALK =
  /^(?:thanks?|thank you|thx|nice|great|good|cool|perfect|lgtm|looks good|\+1|:\+1:|👍|🎉|well done|[\s.,!]|to me|work|job|so much|a lot|all)+$/iu;

/** Common forms of injected instructions. */
const OVERRIDE =
  /\b(?:ignore|disregard|forget)\b.{0,40}\b(?:instructions?|rules?|prompt|above|previous)\b|\byou are now\b|\bsystem prompt\b|\b(?:print|show|reveal|send|post)\b.{0,40}\b(?:secrets?|tokens?|credentials?|api keys?|environment)\b/i;

/** Kinds of changed files that a review should look at first. */
const SENSITIVE = /\((?:CI|svc|hook|lock file)\)/;

const joinPeopleText = ({ digest: { people } }: DecisionQuestion): string =>
  people.map((line) => line.slice(line.indexOf(': ') + 2)).join(' ');

/** Answers by plain rules at the sites other than the rating of phases. */
const SITE_RULES = {
  'wake-gate': (question: DecisionQuestion): AnswersOf<'wake-gate'> => ({
    wake: { probability: SMALL_TALK.test(joinPeopleText(question)) ? 0.1 : 0.9 },
  }),
  // Numbers say nothing about a job's subject.
  lane: (): AnswersOf<'lane'> => ({ belongs: { probability: 0.9 }, better: { choice: NONE } }),
  'input-screen': (question: DecisionQuestion): AnswersOf<'input-screen'> => ({
    override: { probability: OVERRIDE.test(joinPeopleText(question)) ? 0.9 : 0.05 },
  }),
  'review-lens': ({ digest: { facts, failures } }: DecisionQuestion): AnswersOf<'review-lens'> => ({
    focus: {
      points: [
        ...facts.filter((line) => SENSITIVE.test(line)),
        ...failures.filter((line) => !line.endsWith('succeeded later)')),
      ]
        .slice(0, MAX_FOCUS)
        .map((line) => line.slice(0, MAX_FOCUS_CHARS)),
    },
  }),
};

/** Failures of the same kind after which an agent counts as stuck. */
const STUCK_ERRORS = 3;
/** Loops without progress after which an agent counts as stuck. */
const STUCK_LOOPS = 2;

type DigestCounts = DecisionQuestion['digest']['counts'];

/** A finding about one of the default obligations. */
interface CountFinding {
  obligation: string;
  confidence: number;
  seriousness: number;
}

const readDigestCount = (counts: DigestCounts, name: string): number => counts[name] ?? 0;

/** The first unmet obligation; null = the numbers show nothing wrong. */
function findUnmetByCounts(counts: DigestCounts): CountFinding | null {
  const workCount =
    readDigestCount(counts, 'changedFiles') +
    readDigestCount(counts, 'artefacts') +
    readDigestCount(counts, 'itemUpdates');
  if (readDigestCount(counts, 'failingTests') > 0)
    return { obligation: DEFAULT_OBLIGATIONS.failures, confidence: 0.6, seriousness: 2 };
  if (workCount === 0 && readDigestCount(counts, 'laps') >= STUCK_LOOPS)
    return { obligation: DEFAULT_OBLIGATIONS.progress, confidence: 0.8, seriousness: 2 };
  if (workCount === 0 && readDigestCount(counts, 'calls') > 0)
    return { obligation: DEFAULT_OBLIGATIONS.output, confidence: 0.5, seriousness: 1 };
  return null;
}

function answerByCounts({ digest: { counts }, obligations }: DecisionQuestion): OverseerAnswers {
  const countFinding = findUnmetByCounts(counts);
  // Numbers say nothing about obligations that a workflow declares.
  const unmet = obligations.find(({ text }) => text === countFinding?.obligation);
  const isStuck =
    readDigestCount(counts, 'repeatedErrors') >= STUCK_ERRORS ||
    readDigestCount(counts, 'laps') >= STUCK_LOOPS;
  return {
    requirement:
      countFinding && unmet
        ? { choice: unmet.id, confidence: countFinding.confidence }
        : { choice: NONE, confidence: countFinding ? 0 : 0.6 },
    goal: { probability: countFinding ? 0.5 : 0.8 },
    seriousness: { score: countFinding?.seriousness ?? 0 },
    stuck: { probability: isStuck ? 0.8 : 0.1 },
  };
}

/**
 * The `rules` provider: plain thresholds on the runner's counts, without network or model. For
 * trials and people without a key; its ratings say that rules made them.
 */
export const rulesDecider: DecidesQuestions = {
  async decide(question, signal) {
    signal.throwIfAborted();
    const { id, model, site } = question;
    const answers = site === 'overseer' ? answerByCounts(question) : SITE_RULES[site](question);
    return { id, model, answers };
  },
};

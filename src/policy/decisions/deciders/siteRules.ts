import type { DecisionQuestion } from '../../../contract/policy/decider.ts';
import type { AnswersOf } from '../../../contract/schema/policy/siteAnswers.ts';
import { MAX_FOCUS, MAX_FOCUS_CHARS } from '../../../contract/schema/policy/siteAnswers.ts';
import { NONE } from '../reply/readReply.ts';

/** Nothing but thanks and praise. */
const SMALL_TALK =
  /^(?:thanks?|thank you|thx|nice|great|good|cool|perfect|lgtm|looks good|\+1|:\+1:|👍|🎉|well done|[\s.,!]|to me|work|job|so much|a lot|all)+$/iu;

/** Usual forms of other instructions. */
const OVERRIDE =
  /\b(?:ignore|disregard|forget)\b.{0,40}\b(?:instructions?|rules?|prompt|above|previous)\b|\byou are now\b|\bsystem prompt\b|\b(?:print|show|reveal|send|post)\b.{0,40}\b(?:secrets?|tokens?|credentials?|api keys?|environment)\b/i;

/** Kinds of changed files at which a review should look first. */
const SENSITIVE = /\((?:CI|svc|hook|lock file)\)/;

const joinPeopleText = ({ digest: { people } }: DecisionQuestion): string =>
  people.map((line) => line.slice(line.indexOf(': ') + 2)).join(' ');

/** What plain rules say at the sites beside the rating of phases. */
export const SITE_RULES = {
  'wake-gate': (question: DecisionQuestion): AnswersOf<'wake-gate'> => ({
    wake: { probability: SMALL_TALK.test(joinPeopleText(question)) ? 0.1 : 0.9 },
  }),
  // Of what a job is about, numbers know nothing.
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

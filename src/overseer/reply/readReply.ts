import type { TObject } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import type { DecisionQuestion, Obligation } from '../../contract/decider.ts';
import { DecisionReply, type DecisionSite } from '../../schema/decision.ts';
import { type AnswersOf, SITE_ANSWERS } from '../../schema/siteAnswers.ts';

/** The choice of an answer that names none of what was offered. */
export const NONE = 'none';

/** Most characters of what a reply says that are repeated to people. */
const MAX_SHOWN_CHARS = 80;

const shown = (value: unknown): string => JSON.stringify(value).slice(0, MAX_SHOWN_CHARS);

const validators = new Map<TObject, Validator>();

const validatorOf = (schema: TObject): Validator => {
  const known = validators.get(schema);
  if (known) return known;
  const made = Compile(schema);
  validators.set(schema, made);
  return made;
};

function mistake(schema: TObject, value: unknown, where: string): string | null {
  const validator = validatorOf(schema);
  if (validator.Check(value)) return null;
  const [first] = validator.Errors(value);
  return `${where}${(first?.instancePath ?? '').replaceAll('/', '.')} ${first?.message ?? 'has another form'}`;
}

/** Why a reply is not used: a sentence for people. */
export class UnusableReply extends Error {}

/** What came of a question: the answers of its site, and what the model has used for them. */
export interface ReadReply<Site extends DecisionSite> {
  answers: AnswersOf<Site>;
  usage?: NonNullable<DecisionReply['usage']>;
}

/**
 * The answers of a reply to a question. Throws {@link UnusableReply} for every other form, id or
 * model, for a choice that was not offered, and for numbers out of range: an answer is never made of
 * a part of one.
 */
export function readReply<Site extends DecisionSite>(
  question: DecisionQuestion & { site: Site },
  reply: unknown,
): ReadReply<Site> {
  const wrong = mistake(DecisionReply, reply, 'The answer');
  if (wrong !== null) throw new UnusableReply(`${wrong}.`);
  const { id, model, answers, usage } = reply as DecisionReply;
  if (id !== question.id) throw new UnusableReply('The answer is to another question.');
  if (model !== question.model)
    throw new UnusableReply(
      `The model ${shown(model)} has answered in the place of ${question.model}: set decision.model to the id of the model that answers, so that it stays the same.`,
    );
  const problem = mistake(SITE_ANSWERS[question.site], answers, 'answers');
  if (problem !== null) throw new UnusableReply(`The answer has another form: ${problem}.`);
  checkChoice(question, answers);
  // The schema of the site has been checked.
  return { answers: answers as AnswersOf<Site>, ...(usage ? { usage } : {}) };
}

function checkChoice(question: DecisionQuestion, answers: object): void {
  const { obligations, options = [] } = question;
  const { requirement, better } = answers as Partial<AnswersOf<'overseer'> & AnswersOf<'lane'>>;
  const isOffered = (choice: string, offered: readonly Obligation[]): boolean =>
    choice === NONE || offered.some(({ id }) => id === choice);
  if (requirement && !isOffered(requirement.choice, obligations))
    throw new UnusableReply(
      `The answer names ${shown(requirement.choice)}, which is no obligation of the phase.`,
    );
  if (better && !isOffered(better.choice, options))
    throw new UnusableReply(
      `The answer names ${shown(better.choice)}, which is none of the workflows that it was given.`,
    );
}

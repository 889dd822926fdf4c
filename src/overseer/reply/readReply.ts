import type { TObject } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import type { DecisionQuestion } from '../../contract/decider.ts';
import {
  DecisionReply,
  type OverseerAnswers,
  OverseerAnswers as Schema,
} from '../../schema/decision.ts';

/** The choice of a rating that finds every obligation met. */
export const NONE_UNMET = 'none';

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

/**
 * The answers of a reply to a question about a phase. Throws {@link UnusableReply} for every other
 * form, id or model, for a choice that is no obligation, and for numbers out of range: a rating is
 * never made of a part of an answer.
 */
export function readReply(question: DecisionQuestion, reply: unknown): OverseerAnswers {
  const wrong = mistake(DecisionReply, reply, 'The answer');
  if (wrong !== null) throw new UnusableReply(`${wrong}.`);
  const { id, model, answers } = reply as DecisionReply;
  if (id !== question.id) throw new UnusableReply('The answer is to another question.');
  if (model !== question.model)
    throw new UnusableReply(
      `The model ${shown(model)} has answered in the place of ${question.model}: set decision.model to the id of the model that answers, so that it stays the same.`,
    );
  const problem = mistake(Schema, answers, 'answers');
  if (problem !== null) throw new UnusableReply(`The answer has another form: ${problem}.`);
  const { requirement, goal, seriousness, stuck } = answers as OverseerAnswers;
  const isKnown =
    requirement.choice === NONE_UNMET ||
    question.obligations.some(({ id: obligation }) => obligation === requirement.choice);
  if (!isKnown)
    throw new UnusableReply(
      `The answer names ${shown(requirement.choice)}, which is no obligation of the phase.`,
    );
  return { requirement, goal, seriousness, stuck };
}

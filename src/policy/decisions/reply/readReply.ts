import type { TObject } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { Clean } from 'typebox/value';
import type { DecisionQuestion, Obligation } from '../../../contract/policy/decider.ts';
import { DecisionReply, type DecisionSite } from '../../../contract/schema/policy/decision.ts';
import { type AnswersOf, SITE_ANSWERS } from '../../../contract/schema/policy/siteAnswers.ts';
import { type DecisionUsage, parseDecisionUsage } from './parseDecisionUsage.ts';

/** The choice of none of the offered options. */
export const NONE = 'none';

/** Most characters of a reply that are shown to people. */
const MAX_SHOWN_CHARS = 80;

const formatReplyValue = (value: unknown): string =>
  JSON.stringify(value).slice(0, MAX_SHOWN_CHARS);

const validators = new Map<TObject, Validator>();

const compileReplySchema = (schema: TObject): Validator => {
  const validator = validators.get(schema);
  if (validator) return validator;
  const compiledValidator = Compile(schema);
  validators.set(schema, compiledValidator);
  return compiledValidator;
};

function findSchemaMistake(schema: TObject, value: unknown, where: string): string | null {
  const validator = compileReplySchema(schema);
  if (validator.Check(value)) return null;
  const [first] = validator.Errors(value);
  const text = first?.message ?? 'has another form';
  return `${where}${(first?.instancePath ?? '').replaceAll('/', '.')} ${text}`;
}

/** A copy without unknown members: a later version of a decider may add some. */
const keepKnownMembers = (schema: TObject, value: unknown): unknown =>
  Clean(schema, structuredClone(value));

/** Why a reply is unusable, as a sentence for people. It still has a cost. */
export class UnusableReply extends Error {
  readonly usage: DecisionUsage | undefined;

  constructor(message: string, usage?: DecisionUsage) {
    super(message);
    this.usage = usage;
  }
}

export interface ReadReply<Site extends DecisionSite> {
  answers: AnswersOf<Site>;
  usage?: DecisionUsage;
}

/**
 * The answers of a reply to a question, without members that were not asked for. Throws {@link
 * UnusableReply} for any other form, id or model, for a choice that was not offered, and for
 * numbers out of range: a reply is never used in part.
 */
export function readReply<Site extends DecisionSite>(
  question: DecisionQuestion & { site: Site },
  reply: unknown,
): ReadReply<Site> {
  // Wrong counts do not void an answer.
  const [rest, counts] = splitOffUsage(reply);
  const knownMembers = keepKnownMembers(DecisionReply, rest);
  const wrong = findSchemaMistake(DecisionReply, knownMembers, 'The answer');
  if (wrong !== null) throw new UnusableReply(`${wrong}.`);
  const { id, model, answers: rawAnswers } = knownMembers as DecisionReply;
  const answers = keepKnownMembers(SITE_ANSWERS[question.site], rawAnswers) as object;
  const usage =
    counts === undefined || counts === null
      ? undefined
      : parseDecisionUsage(question, counts, answers);
  const problem = explainUnfitReply(question, { id, model, answers });
  if (problem !== null) throw new UnusableReply(problem, usage);
  // The schema of the site has been checked.
  return { answers: answers as AnswersOf<Site>, ...(usage ? { usage } : {}) };
}

function splitOffUsage(reply: unknown): [rest: unknown, usage: unknown] {
  if (typeof reply !== 'object' || reply === null || Array.isArray(reply))
    return [reply, undefined];
  const { usage, ...rest } = { usage: undefined, ...reply };
  return [rest, usage];
}

/** Why a well-formed reply does not answer this question; null = it does. */
function explainUnfitReply(
  question: DecisionQuestion,
  { id, model, answers }: Pick<DecisionReply, 'id' | 'model'> & { answers: object },
): string | null {
  if (id !== question.id) return 'The answer belongs to another question.';
  if (model !== question.model)
    return `The model ${formatReplyValue(model)} answered instead of ${question.model}: set decision.model to the id of the model that answers.`;
  const wrong = findSchemaMistake(SITE_ANSWERS[question.site], answers, 'answers');
  return wrong === null
    ? explainUnfitChoice(question, answers)
    : `The answer has the wrong format: ${wrong}.`;
}

function explainUnfitChoice(question: DecisionQuestion, answers: object): string | null {
  const { obligations, options = [] } = question;
  const { requirement, better } = answers as Partial<AnswersOf<'overseer'> & AnswersOf<'lane'>>;
  const isOffered = (choice: string, obligations: readonly Obligation[]): boolean =>
    choice === NONE || obligations.some(({ id }) => id === choice);
  if (requirement && !isOffered(requirement.choice, obligations))
    return `The answer names ${formatReplyValue(requirement.choice)}, which is not an obligation of the phase.`;
  if (better && !isOffered(better.choice, options))
    return `The answer names ${formatReplyValue(better.choice)}, which is not one of the workflows it was given.`;
  return null;
}

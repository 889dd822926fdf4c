import Type from 'typebox';
import { SET_UP_STEPS } from '../../../base/settings/setUpSteps.ts';
import { nullable, closed } from '../kit/schemaKit.ts';

const SetUpStepName = Type.Enum([...SET_UP_STEPS]);

/** One value that a choice writes. A secret goes in and never comes out. */
export const SetUpValue = Type.Object({
  /** Name in the answer's `values`. */
  name: Type.String(),
  /** What it is, for people. */
  says: Type.String(),
  secret: Type.Boolean(),
  /** The answer is refused without it, unless it is saved, proposed or in the environment. */
  required: Type.Boolean(),
  /** What is taken where the answer leaves it out; null = nothing. */
  proposed: nullable(Type.String()),
  /** Environment variable of svc whose value is taken where the answer leaves it out. */
  env: nullable(Type.String()),
  /** The configuration has one, which is kept unless another is given. */
  saved: Type.Boolean(),
  /** People are asked for it; the others have good defaults. */
  asked: Type.Boolean(),
});
export type SetUpValue = Type.Static<typeof SetUpValue>;

/** One of the ways to answer a step. */
export const SetUpChoice = Type.Object({
  id: Type.String(),
  title: Type.String(),
  /** The configuration has it. */
  current: Type.Boolean(),
  /** What of it was found on this machine; null = nothing. */
  found: nullable(Type.String()),
  /** Command that installs what is missing; null = nothing is missing. */
  install: nullable(Type.String()),
  values: Type.Array(SetUpValue),
  /** Keys of the configuration that it may write, joined by dots. */
  saves: Type.Array(Type.String()),
  /** Program on this machine that can give the token, with a person's consent; null = none. */
  tokenFrom: nullable(Type.String()),
  /**
   * Folder on this machine with a login of the agent's own program, which sessions can use with a
   * person's consent; null = none.
   */
  loginIn: nullable(Type.String()),
});
export type SetUpChoice = Type.Static<typeof SetUpChoice>;

export const SetUpStep = Type.Object({
  step: SetUpStepName,
  title: Type.String(),
  /** `open`: nothing is saved and it was not skipped. */
  state: Type.Enum(['open', 'saved', 'skipped']),
  /** What the configuration has of it, in words. */
  saved: Type.Array(Type.String()),
  /** What was found on this machine, in words. */
  found: Type.Array(Type.String()),
  /** The one with the least to do first. */
  choices: Type.Array(SetUpChoice),
});
export type SetUpStep = Type.Static<typeof SetUpStep>;

/** Reply of GET /setup. */
export const SetUpView = Type.Object({
  /** When the wizard was finished, ISO 8601; null = it was not. */
  completedAt: nullable(Type.String()),
  steps: Type.Array(SetUpStep),
  /** Slugs of the repositories on this disk. */
  repositories: Type.Array(Type.String()),
  /** The caps on what jobs may spend, in words; `newCaps`: the next answer writes them. */
  caps: Type.String(),
  newCaps: Type.Boolean(),
  /** Keys that the runner takes up at its next start. */
  restart: Type.Array(Type.String()),
});
export type SetUpView = Type.Static<typeof SetUpView>;

/** Longest value of an answer, in characters; a private key of an app fits. */
const MAX_VALUE = 8_192;
/** Most values of an answer. */
const MAX_VALUES = 20;

/** Body of POST /setup/:step. */
export const SetUpAnswer = Type.Object(
  {
    /** `id` of one of the choices. */
    choice: Type.String({ minLength: 1, maxLength: 100 }),
    /** Values by name; one that is left out or empty is not changed. */
    values: Type.Optional(
      Type.Record(
        Type.String({ pattern: '^[a-zA-Z][a-zA-Z0-9]{0,63}$' }),
        Type.String({ maxLength: MAX_VALUE }),
        { maxProperties: MAX_VALUES },
      ),
    ),
    /** The person agrees that the token is taken from the program of `tokenFrom`. */
    takeToken: Type.Optional(Type.Boolean()),
    /** The person agrees that sessions use the login in the folder of `loginIn`. */
    useLogin: Type.Optional(Type.Boolean()),
  },
  closed,
);
export type SetUpAnswer = Type.Static<typeof SetUpAnswer>;

/** Reply of what changes the setup. */
export const SetUpReply = Type.Object({
  /** What a person should know of what was saved, in sentences. */
  notes: Type.Array(Type.String()),
  setUp: SetUpView,
});
export type SetUpReply = Type.Static<typeof SetUpReply>;

import { closed } from '../../../contract/schema/kit/schemaKit.ts';
import Type from 'typebox';
import { buildCapSetSchema } from '../../../contract/schema/policy/budget.ts';
import { section, word } from './fieldSchemas.ts';

const MAX_PRICES = 200;

const Dollars = (description: string) =>
  Type.Number({
    minimum: 0,
    maximum: 1_000_000,
    description: `${description}, $ per million tokens.`,
  });

const Price = Type.Object(
  {
    model: Type.String({
      ...word,
      description:
        'Name of the model as its endpoint gives it; * is any text, and * alone any model.',
    }),
    endpoint: Type.Optional(
      Type.String({
        ...word,
        description: 'Only at endpoints whose address begins like this. Default: at any.',
      }),
    ),
    input: Dollars('Input'),
    output: Dollars('Output, thoughts included'),
    cached: Type.Optional(Dollars('Input that was read from a cache; default as input')),
    write: Type.Optional(Dollars('Input that was written to a cache; default as input')),
    write1h: Type.Optional(
      Dollars('Input that was written to a cache for an hour; default as write'),
    ),
  },
  closed,
);

const none = { default: {} } as const;

export const Budgets = Type.Object(
  {
    session: buildCapSetSchema('session', none),
    phase: buildCapSetSchema('phase', none),
    job: buildCapSetSchema('job', none),
    campaign: buildCapSetSchema('campaign', none),
    repository: buildCapSetSchema('repository', none),
    day: buildCapSetSchema('day', none),
    week: buildCapSetSchema('week', none),
    runner: buildCapSetSchema('runner', none),
    headlessFactor: Type.Number({
      exclusiveMinimum: 0,
      maximum: 1,
      default: 1,
      description:
        'Factor for the caps of sessions, phases, jobs and campaigns of jobs that are not interactive; 0.5 is half.',
    }),
    unpriced: Type.Object(
      {
        input: Type.Number({
          minimum: 0,
          maximum: 1_000_000,
          default: 15,
          description: 'Input, $ per million tokens.',
        }),
        output: Type.Number({
          minimum: 0,
          maximum: 1_000_000,
          default: 75,
          description: 'Output, $ per million tokens.',
        }),
      },
      {
        ...section,
        description:
          'What caps on dollars count for a model whose price is not known. It is shown nowhere as a cost.',
      },
    ),
    prices: Type.Array(Price, {
      default: [],
      maxItems: MAX_PRICES,
      description:
        'Your own prices of models. The first match applies, before the prices of the release. A price of 0 means free. Without one, endpoints on this machine and at private addresses cost nothing, and a model that the release does not know has no known price.',
    }),
  },
  { ...section, title: 'Budgets and costs' },
);

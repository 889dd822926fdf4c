import { closed } from '../../../contract/schema/kit/schemaKit.ts';
import Type from 'typebox';
import { DECISION_MODES } from '../settings/decisionModes.ts';
import { Address, Secret, section, word } from './fieldSchemas.ts';

const Site = Type.Optional(
  Type.Enum([...DECISION_MODES], { description: 'Default: decision.mode.' }),
);

const Thresholds = Type.Object(
  {
    offTrackNoul: Type.Number({
      minimum: 0,
      maximum: 1,
      default: 0.75,
      description: 'Probability from which a phase counts as off track.',
    }),
    severityScore: Type.Number({
      minimum: 0,
      maximum: 3,
      default: 1.5,
      description: 'Lowest severity of an unmet requirement that pauses a job.',
    }),
    minChoiceConfidence: Type.Number({
      minimum: 0,
      maximum: 1,
      default: 0.5,
      description: 'Lowest confidence that the requirement is unmet.',
    }),
  },
  { ...section, title: 'When a phase is flagged' },
);

export const Decision = Type.Object(
  {
    mode: Type.Optional(
      Type.Enum([...DECISION_MODES], {
        description: 'off, shadow (only observes) or live (may pause jobs). Default: off.',
      }),
    ),
    provider: Type.String({ ...word, default: 'decider', description: 'Decision provider id.' }),
    api: Type.Enum(['anthropic', 'openai'], {
      default: 'anthropic',
      description: 'Wire format of the endpoint; only with the provider model.',
    }),
    apiKey: Type.Optional(Secret('API key of the provider.')),
    baseUrl: Type.Optional(Address("Address of the provider. Default: the provider's own.")),
    model: Type.Optional(
      Type.String({ maxLength: 255, description: 'Model id. Default: decider-1.13.0.' }),
    ),
    timeoutMs: Type.Integer({
      minimum: 1,
      maximum: 600_000,
      default: 1500,
      description:
        'Maximum duration of a call, in milliseconds; the job then continues without an answer.',
    }),
    overseer: Type.Object(
      {
        scope: Type.Enum(['all', 'campaigns', 'off'], {
          default: 'all',
          description: 'Which jobs are rated.',
        }),
        onFlag: Type.Enum(['park', 'flag-only'], {
          default: 'park',
          description: 'Whether a flagged interactive job is paused.',
        }),
        thresholds: Thresholds,
      },
      { ...section, title: 'Rating of finished phases' },
    ),
    sites: Type.Object(
      { overseer: Site, 'wake-gate': Site, lane: Site, 'input-screen': Site, 'review-lens': Site },
      { ...closed, default: {}, title: 'Mode of each decision point' },
    ),
  },
  { ...section, title: 'Decision layer' },
);

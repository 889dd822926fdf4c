import { closed } from '../../../contract/schema/kit/schemaKit.ts';
import Type from 'typebox';
import { ChosenName, JobParams, word } from './fieldSchemas.ts';

const Words = (description: string) =>
  Type.Array(Type.String({ ...word }), { maxItems: 100, default: [], description });

const Rule = Type.Object(
  {
    id: Type.String({ ...ChosenName, description: 'Name of the rule.' }),
    enabled: Type.Boolean({ default: true, description: 'Whether it creates jobs.' }),
    plugin: Type.String({
      pattern: '^[a-z][a-z0-9-]{0,39}$',
      description: 'Sender of the webhook: github, gitlab, bitbucket, jira or linear.',
    }),
    events: Type.Array(Type.String({ pattern: '^[a-z_]{1,40}\\.[a-z_]{1,60}$' }), {
      minItems: 1,
      maxItems: 50,
      description: 'Events that create a job, such as issue.labeled; one is enough.',
    }),
    repos: Words(
      'Repositories, or projects of a tracker. Default: all that the webhook is sent for.',
    ),
    labels: Words('Labels. For ….labeled, the label that was just added. Default: any or none.'),
    text: Type.String({
      maxLength: 255,
      default: '',
      description: 'Text that must occur in the title or the body.',
    }),
    authors: Words(
      'Authors whose actions create jobs: logins or account ids, * = everybody. Default: members.',
    ),
    workflow: Type.String({
      ...word,
      description: 'Path of the workflow, such as workflows/job.md.',
    }),
    type: Type.String({
      pattern: '^[a-z0-9-]{1,64}$',
      default: 'job',
      description: 'Type of the job.',
    }),
    params: JobParams(
      'Params of the job; {{title}}, {{text}}, {{url}}, {{ticket}}, {{repo}} and others are filled in.',
    ),
    perHour: Type.Integer({
      minimum: 1,
      maximum: 1000,
      default: 5,
      description: 'Maximum number of jobs per hour.',
    }),
    repeat: Type.Enum(['when-ended', 'always'], {
      default: 'when-ended',
      description: 'Whether a ticket gets another job: when the one before has ended, or always.',
    }),
  },
  closed,
);

export const Triggers = Type.Array(Rule, {
  maxItems: 100,
  default: [],
  description: 'Rules by which webhooks create jobs.',
});

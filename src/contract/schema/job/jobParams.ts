import Type from 'typebox';
import Value from 'typebox/value';

/** `must`: how the expected value is described to a user who wrote another one. */
const buildParamText = (must: string, more: object = {}) =>
  Type.Optional(Type.String({ ...more, must }));
const buildParamFlag = () => Type.Optional(Type.Boolean({ must: 'must be true or false' }));

const Name = Type.String({ minLength: 1, must: 'must be a name, as text' });

/** Params of a job that svc itself reads. Every other key is free: it belongs to the workflow. */
export const JobParams = Type.Object(
  {
    repoSlug: buildParamText('must be text: the slug of a repository'),
    description: buildParamText('must be text'),
    reviewers: Type.Optional(
      Type.Array(Name, { must: 'must be a list of names, for example ["ana", "ben"]' }),
    ),
    language: buildParamText('must be text'),
    gitProvider: buildParamText('must be text: the id of a forge'),
    jiraTicketId: buildParamText('must be text: the key of a ticket'),
    lane: buildParamText('must be text: the id of a workflow'),
    serviceName: buildParamText('must be text'),
    epicAllowed: buildParamFlag(),
    parentJobId: buildParamText('must be text: the id of a job'),
    investigationId: buildParamText('must be text: the id of an investigation'),
    findingsSha: buildParamText('must be text: the sha256 of the findings that were shown'),
    interactive: buildParamFlag(),
    /** Phases whose checkpoint is approved in advance; true or `all` = every one. */
    autoApprove: Type.Optional(
      Type.Union([Type.Boolean(), Name, Type.Array(Name)], {
        must: 'must be the name of a phase, a list of names, "all" or true',
      }),
    ),
    /** Caps of this job, which only tighten those of its workflow and the configuration. */
    budget: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        must: 'must be a map of caps, for example { "job": { "usd": 5 } }',
      }),
    ),
    /** How long it may work unattended. */
    unattended: Type.Optional(
      Type.Object(
        { until: Type.String({ minLength: 1, maxLength: 64 }) },
        {
          additionalProperties: false,
          must: 'must say until when, for example { "until": "2026-11-23T08:00:00Z" } or { "until": "12h" }',
        },
      ),
    ),
  },
  { additionalProperties: true },
);

/** In params.autoApprove: every phase. */
export const EVERY_PHASE = 'all';

/** The params with `all` in autoApprove written as the chart reads it: true. */
export const expandEveryPhase = (params: Record<string, unknown>): Record<string, unknown> => {
  const { autoApprove } = params;
  const every =
    autoApprove === EVERY_PHASE ||
    (Array.isArray(autoApprove) && autoApprove.includes(EVERY_PHASE));
  return every ? { ...params, autoApprove: true } : params;
};

/** One value of the wrong type; `pointer` is a JSON pointer into the params. */
export interface ParamTypeError {
  pointer: string;
  message: string;
}

const readMustText = (schema: Type.TSchema): string =>
  String(Reflect.get(schema, 'must') ?? 'has the wrong type');

/**
 * What of the params has another type than svc reads, each with its place. Keys that svc does not
 * read are free.
 */
export function listParamTypeErrors(params: Readonly<Record<string, unknown>>): ParamTypeError[] {
  const properties: Record<string, Type.TSchema> = JobParams.properties;
  return Object.entries(params).flatMap(([key, value]): ParamTypeError[] => {
    const schema = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (schema === undefined || Value.Check(schema, value)) return [];
    const isList = Array.isArray(value) && (key === 'reviewers' || key === 'autoApprove');
    if (!isList) return [{ pointer: `/${key}`, message: readMustText(schema) }];
    const items: readonly unknown[] = value;
    return items.flatMap((item, index) =>
      Value.Check(Name, item) ? [] : [{ pointer: `/${key}/${index}`, message: readMustText(Name) }],
    );
  });
}

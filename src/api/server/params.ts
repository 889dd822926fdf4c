import { SvcError } from '../../shared/errors/errors.ts';
import { PLUGIN_ID } from '../../contract/schema/runner/pluginId.ts';
import { SUB_RUN_NAME } from '../../contract/schema/job/subRun.ts';

/** The names after a colon in a path. */
export type ParamName =
  | 'jobId'
  | 'artifactId'
  | 'insightId'
  | 'phase'
  | 'name'
  | 'slug'
  | 'n'
  | 'prId'
  | 'threadId'
  | 'pluginId'
  | 'sessionId'
  | 'evidenceId'
  | 'proposalId'
  | 'scope'
  | 'step';

/** No path, no control characters: it is looked up in a table and repeated in messages. */
const PLAIN_ID = /^(?!\.{1,2}$)[^/\\\p{Cc}]{1,200}$/u;

const PARAMS: Record<ParamName, { what: string; form: RegExp }> = {
  jobId: { what: 'job', form: /^[a-z0-9][a-z0-9._-]{0,127}$/ },
  artifactId: { what: 'artefact', form: PLAIN_ID },
  insightId: { what: 'insight', form: PLAIN_ID },
  phase: { what: 'phase', form: PLAIN_ID },
  name: { what: 'sub-run', form: new RegExp(SUB_RUN_NAME) },
  slug: {
    what: 'repository',
    form: /^[A-Za-z0-9][A-Za-z0-9._-]*(?:\/[A-Za-z0-9][A-Za-z0-9._-]*){0,4}$/,
  },
  pluginId: { what: 'plugin', form: PLUGIN_ID },
  prId: {
    what: 'pull request',
    form: /^[a-z][a-z0-9-]{0,63}:[A-Za-z0-9][A-Za-z0-9._/-]{0,300}#[1-9]\d{0,8}$/,
  },
  threadId: { what: 'review thread', form: PLAIN_ID },
  sessionId: { what: 'plan-mode session', form: /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/ },
  evidenceId: { what: 'look-up', form: /^E[1-9]\d{0,6}$/ },
  proposalId: { what: 'proposal', form: /^[0-9a-z]{16}$/ },
  scope: { what: 'budget', form: /^[a-z]{1,32}$/ },
  step: { what: 'step', form: /^[a-z]{1,32}$/ },
  n: { what: 'pull request', form: /^[1-9]\d{0,8}$/ },
};

/** The names in a path. */
export type ParamsOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? (Name & ParamName) | ParamsOf<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name & ParamName
    : never;

export const listParamNames = (path: string): ParamName[] =>
  [...path.matchAll(/:([a-zA-Z]+)/g)].map(([, name]) => name as ParamName);

/** The JSON Schema of a parameter. */
export const buildParamSchema = (name: ParamName) => ({
  type: 'string',
  pattern: PARAMS[name].form.source,
});

/** Throws SvcError `not-found` for a value that cannot be an ID. */
export function checkParam(name: ParamName, value: string | undefined): string {
  const { what, form } = PARAMS[name];
  if (value === undefined || !form.test(value))
    throw new SvcError('not-found', `Not found: this is not a valid ${what} name.`);
  return value;
}

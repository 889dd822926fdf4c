import { BUDGET_SCOPES, type BudgetScope } from '../../base/spending/budgetScopes.ts';
import { SET_UP_STEPS, type SetUpStepName } from '../../base/settings/setUpSteps.ts';
import { SvcError } from '../../base/errors/errors.ts';
import { PLUGIN_ID } from '../schema/runner/pluginId.ts';
import { SUB_RUN_NAME } from '../schema/job/subRun.ts';

/** The names after a colon in a path, and what their values are. */
export interface ParamValues {
  jobId: string;
  artifactId: string;
  insightId: string;
  phase: string;
  name: string;
  slug: string;
  n: number;
  prId: string;
  threadId: string;
  pluginId: string;
  sessionId: string;
  evidenceId: string;
  proposalId: string;
  scheduleName: string;
  scope: BudgetScope;
  step: SetUpStepName;
  channel: string;
  browserId: string;
}
export type ParamName = keyof ParamValues;

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
  scheduleName: { what: 'schedule', form: /^[a-z0-9][a-z0-9-]{0,63}$/ },
  proposalId: { what: 'proposal', form: /^[0-9a-z]{16}$/ },
  scope: { what: 'budget', form: /^[a-z]{1,32}$/ },
  step: { what: 'step', form: /^[a-z]{1,32}$/ },
  channel: { what: 'channel', form: /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/ },
  browserId: { what: 'browser', form: /^[0-9a-f]{32}$/ },
  n: { what: 'pull request', form: /^[1-9]\d{0,8}$/ },
};

type NamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? [Name & ParamName, ...NamesIn<`/${Rest}`>]
  : Path extends `${string}:${infer Name}`
    ? [Name & ParamName]
    : [];

export type ParamsOf<Path extends string> = Pick<ParamValues, NamesIn<Path>[number]>;
export type ParamListOf<Path extends string, Names = NamesIn<Path>> = {
  [Index in keyof Names]: ParamValues[Names[Index] & ParamName];
};

/** Names in the paths of routes, which are few and never change. */
const namesByPath = new Map<string, readonly ParamName[]>();

export function listParamNames(path: string): readonly ParamName[] {
  const names =
    namesByPath.get(path) ??
    [...path.matchAll(/:([a-zA-Z][a-zA-Z0-9]*)/g)].map(([, name]) => name as ParamName);
  namesByPath.set(path, names);
  return names;
}

export const buildParamSchema = (name: ParamName) => ({
  type: 'string',
  pattern: PARAMS[name].form.source,
});

function parseScope(name: string): BudgetScope {
  const scope = BUDGET_SCOPES.find((candidate) => candidate === name);
  if (scope !== undefined) return scope;
  throw new SvcError('not-found', `Known: ${BUDGET_SCOPES.join(', ')}.`);
}

function parseStep(name: string): SetUpStepName {
  const step = SET_UP_STEPS.find((candidate) => candidate === name);
  if (step !== undefined) return step;
  throw new SvcError('not-found', `No step is called ${name}. Steps: ${SET_UP_STEPS.join(', ')}.`);
}

const PARSERS: { [Name in ParamName]?: (value: string) => ParamValues[Name] } = {
  n: Number,
  scope: parseScope,
  step: parseStep,
};

function checkParam(name: ParamName, value: string | undefined): string | number {
  const { what, form } = PARAMS[name];
  if (value === undefined || !form.test(value))
    throw new SvcError('not-found', `Not found: this is not a valid ${what} name.`);
  return PARSERS[name]?.(value) ?? value;
}

/** The values in an address. Throws SvcError `not-found` where one of them cannot be an id. */
export const readParams = (
  path: string,
  raw: Readonly<Record<string, string>>,
): Readonly<Record<string, string | number>> =>
  Object.fromEntries(listParamNames(path).map((name) => [name, checkParam(name, raw[name])]));

import {
  buildParamSchema,
  listParamNames,
  type ParamName,
  readParams,
} from '../../contract/routes/params.ts';
import { PLUGIN_ID } from '../../contract/schema/runner/pluginId.ts';
import { SvcError } from '../../base/errors/errors.ts';

/** The names after a colon in a path of the control plane; others are those of the runner's API. */
export interface CloudParamValues {
  /** ID or slug. */
  teamId: string;
  userId: string;
  invitationId: string;
  runnerId: string;
  dispatchId: string;
  pluginId: string;
  /** Number of an entry of a home's log. */
  entry: number;
  /** Number of a part of a checkpoint. */
  part: number;
  proposalId: string;
  /** Number of a version of a team's overlay. */
  version: number;
  /** SHA-256 of an artefact or a file, lower-case hex. */
  digest: string;
}

const ID = /^[a-z0-9][a-z0-9-]{0,63}$/;

const NUMBER = /^(?:0|[1-9]\d{0,14})$/;

const CLOUD_PARAMS: Record<
  keyof CloudParamValues,
  { what: string; form: RegExp; isNumber?: true }
> = {
  teamId: { what: 'team', form: ID },
  userId: { what: 'user', form: ID },
  invitationId: { what: 'invitation', form: ID },
  runnerId: { what: 'runner', form: ID },
  dispatchId: { what: 'dispatch', form: ID },
  pluginId: { what: 'plugin', form: PLUGIN_ID },
  entry: { what: 'entry', form: NUMBER, isNumber: true },
  part: { what: 'part', form: NUMBER, isNumber: true },
  proposalId: { what: 'proposal', form: /^[0-9a-z]{16}$/ },
  version: { what: 'version', form: NUMBER, isNumber: true },
  digest: { what: 'SHA-256', form: /^[0-9a-f]{64}$/ },
};

type CloudNamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? [Name & keyof CloudParamValues, ...CloudNamesIn<`/${Rest}`>]
  : Path extends `${string}:${infer Name}`
    ? [Name & keyof CloudParamValues]
    : [];

export type CloudParamsOf<Path extends string> = Pick<CloudParamValues, CloudNamesIn<Path>[number]>;

const isCloudParam = (name: string): name is keyof CloudParamValues =>
  Object.hasOwn(CLOUD_PARAMS, name);

export const buildCloudParamSchema = (name: string): object =>
  isCloudParam(name)
    ? { type: 'string', pattern: CLOUD_PARAMS[name].form.source }
    : // A name that is not ours is of the runner's table, or its routes would not compile.
      buildParamSchema(name as ParamName);

function readCloudParam(name: string, raw: Readonly<Record<string, string>>): string | number {
  if (!isCloudParam(name)) {
    const value = readParams(`/:${name}`, raw)[name];
    if (value !== undefined) return value;
    throw new SvcError('not-found', `Not found: ${name} is missing.`);
  }
  const { what, form, isNumber = false } = CLOUD_PARAMS[name];
  const value = raw[name];
  if (value !== undefined && form.test(value)) return isNumber ? Number(value) : value;
  throw new SvcError('not-found', `Not found: this is not a valid ${what} ID.`);
}

/** The values in an address. Throws SvcError `not-found` where one of them cannot be an ID. */
export const readCloudParams = (
  path: string,
  raw: Readonly<Record<string, string>>,
): Readonly<Record<string, string | number>> =>
  Object.fromEntries(listParamNames(path).map((name) => [name, readCloudParam(name, raw)]));

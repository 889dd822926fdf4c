import type Type from 'typebox';
import type { ReplyKind } from '../../contract/routes/addresses.ts';
import type { RouteBody } from '../../contract/routes/route.ts';
import type { ErrorCode } from '../../base/errors/errors.ts';
import type { TeamRole } from '../../contract/schema/cloud/teamRole.ts';
import type { CloudKindOf, CloudMethod, CloudRouteName } from './cloudAddresses.ts';

/**
 * Who may call a route. There is no default.
 *
 * - `anyone`: it needs no login, or checks by itself what it is given.
 * - `person`: anyone who is logged in.
 * - `runner`: a runner, by its token. Its home alone is what such a route reads and changes.
 * - a role: a member of the team in the address (`:teamId`, ID or slug) with this role or a higher one.
 */
export type Who = 'anyone' | 'person' | 'runner' | TeamRole;

/** What is written down about every route. */
export interface CloudRequestData {
  who: Who;
  summary: string;
  query?: Type.TObject;
  /** Members of query and body that say what is changed, beside the address: the audit log has them. No secrets. */
  target?: readonly string[];
  body?: RouteBody;
  refusals: readonly ErrorCode[];
}

export interface CloudJsonData extends CloudRequestData {
  reply: Type.TSchema;
  /** Default 200. */
  status?: 201 | 202;
  /** When it answers 200 with a line of plain text instead; default: never. */
  plainText?: string;
}

export interface CloudBytesData extends CloudRequestData {
  mime: string;
}

export type CloudRouteData<Name extends CloudRouteName> =
  CloudKindOf<Name> extends 'bytes'
    ? CloudBytesData
    : CloudKindOf<Name> extends 'nothing' | 'text' | 'events'
      ? CloudRequestData
      : CloudJsonData;

export type SomeCloudRoutes = { readonly [Name in CloudRouteName]?: CloudRouteData<Name> };

/** A route as the server, the gate and the OpenAPI document read it. */
export interface CloudRoute extends CloudRequestData {
  name: string;
  method: CloudMethod;
  path: string;
  kind: ReplyKind;
  status: number;
  /** null: 204 without a body. */
  reply: Type.TSchema | null;
  mime: string;
  plainText?: string;
  /** Answered by a runner. */
  isOfRunner?: true;
  /** A read that a runner answers in one piece, as JSON. */
  isReadOfRunner?: true;
}

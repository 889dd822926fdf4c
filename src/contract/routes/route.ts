import type Type from 'typebox';
import type { ErrorCode } from '../../base/errors/errors.ts';
import type { KindOf, RouteName } from './addresses.ts';

/**
 * What a route asks of its caller where `server.auth` is `auto`. With `required` all but `own` need
 * a credential, with `off` none does.
 *
 * - `own`: the address checks by itself who sent the request (deliveries, login links, tool
 *   servers).
 * - `basic`: a sign of life or a file of the dashboard; needs a credential if other machines can
 *   reach the runner.
 * - `read`: shows something; open on loopback, but not through a proxy and not while webhooks are
 *   configured.
 * - `compute`: like `read`, by a method that carries a body; nothing changes and no other service
 *   is asked.
 * - `scrape`: numbers for a monitor: token, dashboard login, or the token of metrics.token, which is
 *   for these addresses alone.
 * - `write`: changes something, runs a program, or makes the runner use its credentials elsewhere:
 *   token or dashboard login, always.
 */
export type Access = 'own' | 'basic' | 'read' | 'compute' | 'scrape' | 'write';

/**
 * The role in a team from which on its members may call a route through the control plane. null: it never leaves the
 * machine, as configuration, plugins, trust, backups, credentials and tool servers do not.
 */
export type TeamAccess = 'viewer' | 'member' | 'admin' | null;

/** Largest body, bytes (after decompression). */
export const MAX_BODY_BYTES = 1024 * 1024;
/** The same for plan-mode chats, whose transcripts the dashboard stores. */
export const MAX_CHAT_BODY_BYTES = 12 * 1024 * 1024;
/** Largest delivery of a forge or tracker that is taken, bytes. */
export const MAX_DELIVERY_BYTES = 5 * 1024 * 1024;

export interface RouteBody<Schema extends Type.TSchema = Type.TSchema> {
  schema: Schema;
  /** A request without body is refused. */
  required: boolean;
  /** Most bytes; a larger body is refused before it is read. */
  maxBytes: number;
  /**
   * `patch`: JSON that may also come as a merge patch (RFC 7396) by name, `application/merge-patch+json`.
   * `bytes`: the handler reads it, as it came.
   */
  form: 'json' | 'patch' | 'bytes';
}

const json = { maxBytes: MAX_BODY_BYTES, form: 'json' } as const;

export const requireBody = <Schema extends Type.TSchema>(schema: Schema): RouteBody<Schema> => ({
  ...json,
  schema,
  required: true,
});

/** A JSON body that may be left out: `{}` then. */
export const allowBody = <Schema extends Type.TSchema>(schema: Schema): RouteBody<Schema> => ({
  ...json,
  schema,
  required: false,
});

/** One that may also be sent as a merge patch. */
export const requirePatch = <Schema extends Type.TSchema>(schema: Schema): RouteBody<Schema> => ({
  ...requireBody(schema),
  form: 'patch',
});

export const requireChatBody = <Schema extends Type.TSchema>(
  schema: Schema,
): RouteBody<Schema> => ({ ...requireBody(schema), maxBytes: MAX_CHAT_BODY_BYTES });

/** A delivery, whatever its bytes are: its signature decides. */
export const allowDelivery = <Schema extends Type.TSchema>(schema: Schema): RouteBody<Schema> => ({
  schema,
  required: false,
  maxBytes: MAX_DELIVERY_BYTES,
  form: 'bytes',
});

/** What is written down about every route. Nothing has a default that would open it. */
export interface RequestData {
  access: Access;
  team: TeamAccess;
  summary: string;
  query?: Type.TObject;
  body?: RouteBody;
  deprecated?: true;
  refusals: readonly ErrorCode[];
}

export interface JsonData extends RequestData {
  reply: Type.TSchema;
  /** Default 200. */
  status?: 201 | 202;
  /** The reply as CSV, for requests that accept it before JSON; default: it has none. */
  csv?: (reply: never) => string;
  /** When it answers 200 with a line of plain text instead; default: never. */
  plainText?: string;
}

/** Answers with bytes that the handler writes. */
export interface BytesData extends RequestData {
  mime: string;
}

export type RouteData<Name extends RouteName> =
  KindOf<Name> extends 'bytes'
    ? BytesData
    : KindOf<Name> extends 'nothing' | 'text' | 'events'
      ? RequestData
      : JsonData;

export type SomeRoutes = { readonly [Name in RouteName]?: RouteData<Name> };

/** What a route's schemas say of its requests and its reply. */
export type BodyOf<Data> = Data extends { body: RouteBody<infer Schema> }
  ? Type.Static<Schema>
  : undefined;
export type QueryOf<Data> = Data extends { query: infer Schema extends Type.TSchema }
  ? Type.Static<Schema>
  : undefined;
export type ReplyOf<Data> = Data extends { reply: infer Schema extends Type.TSchema }
  ? Type.Static<Schema>
  : undefined;

/** The reply, the rows of a page with their total number, or nothing where a route writes by itself. */
export type Answer<Kind, Reply> = Kind extends { page: infer Page extends string }
  ? { [Member in Page]: Reply } & { total: number }
  : Kind extends 'json'
    ? Reply
    : unknown;

import type { Database } from '../database/database.ts';
import type { Context } from 'koa';
import type { ReplyOrText } from '../../api/server/replies/plainText.ts';
import type { BodyOf, QueryOf } from '../../contract/routes/route.ts';
import type { RequestKey } from '../../contract/job/requestKey.ts';
import type { TeamRole } from '../../contract/schema/cloud/teamRole.ts';
import type { CloudKindOf, CloudPathOf, CloudRouteName } from '../routes/cloudAddresses.ts';
import type { CloudParamsOf } from '../routes/cloudParams.ts';
import type { CloudRoute } from '../routes/cloudRoute.ts';

/** Someone who is logged in. */
export interface Person {
  userId: string;
  email: string;
  name: string;
}

/** The team in the address, with the role that the caller has in it. */
export interface CallTeam {
  id: string;
  slug: string;
  role: TeamRole;
}

export interface Member {
  person: Person;
  team: CallTeam | null;
}

/** How the gate learns who sent a request. */
export interface Credentials {
  /** What the request shows of its caller, such as a token: the same text is the same caller. Empty = nothing. */
  readSecret(ctx: Context): string;
  /**
   * The person of the bearer token or session cookie; null = the request has neither, or one that is
   * not valid. A session cookie counts for a change only with its second value in a header.
   */
  findPerson(ctx: Context): Promise<Person | null>;
  /** The same with the team, by its ID or slug; `team` null = the person is not in such a team. */
  findMember(ctx: Context, team: string, database: Database): Promise<Member | null>;
}

/** A runner that calls with a token. */
export interface CallingRunner {
  /** Whose home it is. */
  runnerId: string;
  teamId: string;
  /** Whose machine the home is of; null = a runner of the pool. */
  ownerId: string | null;
  /** Another runner's process: it continues the home, or prepares to; null = the home's own. */
  adoption: { adopterId: string; isRunning: boolean } | null;
  tokenHash: string;
}

/** How the gate learns which runner sent a request. */
export interface RunnerCredentials {
  /**
   * The runner of the bearer token; null = it is none, or was revoked. Throws SvcError `home-claimed` with the holder
   * where another runner continues its home: all that it may know.
   */
  findRunner(ctx: Context): Promise<CallingRunner | null>;
}

/** A request whose caller and parts have been checked. */
export interface AnyCloudCall {
  person: Person | null;
  team: CallTeam | null;
  runner: CallingRunner | null;
  params: Readonly<Record<string, string | number>>;
  query: unknown;
  body: unknown;
  requestKey: RequestKey | undefined;
  ctx: Context;
}

/** The same with what the route's table says of it. */
export interface CloudCall<Name extends CloudRouteName, Data> {
  person: Data extends { who: 'anyone' | 'runner' } ? null : Person;
  team: Data extends { who: TeamRole } ? CallTeam : null;
  runner: Data extends { who: 'runner' } ? CallingRunner : null;
  params: Readonly<CloudParamsOf<CloudPathOf<Name>>>;
  query: QueryOf<Data>;
  body: BodyOf<Data>;
  requestKey: RequestKey | undefined;
  ctx: Context;
}

/** The reply, the rows of a page with their total number, or nothing where the handler writes by itself. */
type CloudAnswer<Kind, Reply> = Kind extends { page: infer Page extends string }
  ? { [Member in Page]: Reply } & { total: number }
  : Kind extends 'json'
    ? Reply
    : unknown;

type CloudHandler<Name extends CloudRouteName, Data> = (
  call: CloudCall<Name, Data>,
) =>
  | CloudAnswer<CloudKindOf<Name>, ReplyOrText<Data>>
  | Promise<CloudAnswer<CloudKindOf<Name>, ReplyOrText<Data>>>;

export type CloudHandlers<Table> = {
  readonly [Name in keyof Table & CloudRouteName]: CloudHandler<Name, Table[Name]>;
};

/** Routes, and what answers them. A handler sets `ctx.status` only where it differs from its route's. */
export interface RouteGroup {
  routes: readonly CloudRoute[];
  answer(route: CloudRoute, call: AnyCloudCall): unknown;
}

import type { KindOf, PathOf, RouteName } from '../routes/addresses.ts';
import type { ParamListOf } from '../routes/params.ts';
import type { Answer, BodyOf, QueryOf, ReplyOf } from '../routes/route.ts';
import type { Routes } from '../routes/routes.ts';
import type { RequestKey } from '../job/requestKey.ts';
import type { Caller } from '../schema/runner/caller.ts';

/** Who asks for a change, and the key by which a repeat of the request is known. */
export interface Asker {
  by: Caller;
  /** The name of the member of the team; left out = the request names no person. */
  person?: string | undefined;
  requestKey?: RequestKey | undefined;
}

/** A body without members is not passed on. */
type Payload<Data> = Data extends { body: unknown }
  ? [keyof BodyOf<Data>] extends [never]
    ? []
    : [body: BodyOf<Data>]
  : Data extends { query: unknown }
    ? [query: QueryOf<Data>]
    : [];

/** The values in the address, the body or the query, and, where the route changes something, who asks. */
type Arguments<Name extends RouteName> = [
  ...ParamListOf<PathOf<Name>>,
  ...Payload<Routes[Name]>,
  ...(Routes[Name]['access'] extends 'write' ? [asker: Asker] : []),
];

/** Methods with the names, arguments and replies of these routes. */
export type RunnerMethods<Names extends RouteName> = {
  [Name in Names]: (...args: Arguments<Name>) => Answer<KindOf<Name>, ReplyOf<Routes[Name]>>;
};

/** The same, answered by promise. */
export type AsyncRunnerMethods<Names extends RouteName> = {
  [Name in Names]: (
    ...args: Arguments<Name>
  ) => Promise<Answer<KindOf<Name>, ReplyOf<Routes[Name]>>>;
};

import {
  ADDRESSES,
  type Address,
  type KindOf,
  type PathOf,
  type RouteName,
} from '../../contract/routes/addresses.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { ParamListOf } from '../../contract/routes/params.ts';
import type { BodyOf, QueryOf, ReplyOf } from '../../contract/routes/route.ts';
import type { Routes } from '../../contract/routes/routes.ts';
import type { RequestOptions, Transport } from './transport.ts';

/** What a change sends as its body, or a read as its query. A route without either takes `{}`. */
type Payload<Data> = ParamsOrNone<Data extends { body: unknown } ? BodyOf<Data> : QueryOf<Data>>;
type ParamsOrNone<Value> = [keyof Value] extends [never] ? Record<string, never> : Value;

/** The values in the address, the payload, options; the payload may be left out where it may be empty. */
type Arguments<Name extends RouteName, Given = Payload<Routes[Name]>> = [
  ...ParamListOf<PathOf<Name>>,
  ...(Record<never, never> extends Given
    ? [payload?: Given, options?: RequestOptions]
    : [payload: Given, options?: RequestOptions]),
];

type Result<Kind, Reply> = Kind extends { page: infer Page extends string }
  ? { [Member in Page]: Reply } & { total: number }
  : Kind extends 'events'
    ? Response
    : Kind extends 'bytes'
      ? Uint8Array
      : Kind extends 'text'
        ? string
        : Kind extends 'nothing'
          ? undefined
          : Reply;

export type RouteMethods = {
  [Name in RouteName]: (
    ...args: Arguments<Name>
  ) => Promise<Result<KindOf<Name>, ReplyOf<Routes[Name]>>>;
};

export type Send = <Name extends RouteName>(
  name: Name,
  ...args: Arguments<Name>
) => Promise<Response>;

const sendTo = (
  { open }: Transport,
  [method, path]: Address,
  args: readonly unknown[],
): Promise<Response> => {
  const rest = [...args];
  const address = path.replace(/:\w+/g, () => encodeURIComponent(String(rest.shift())));
  const [payload = {}, options = {}] = rest;
  const isRead = method === 'GET' || method === 'DELETE';
  return open(method, address, {
    ...Object(options),
    ...(isRead ? { query: payload } : { body: payload }),
  });
};

export const createSend =
  (transport: Transport): Send =>
  (name, ...args) =>
    sendTo(transport, ADDRESSES[name], args);

/** A server that is not a runner, or a login page in front of one, may answer anything with 200. */
const createForeignReplyError = ({ url, status }: Response): SvcError =>
  new SvcError(
    'unreachable',
    `${url} answered ${status} with something else than a runner does. Is it an svc runner? Check --url and SVC_URL, and what is between here and the runner.`,
  );

/** Every reply of a runner is a map or a list. */
async function readJson(response: Response): Promise<object> {
  const reply: unknown = await response.json().catch((error: unknown) => {
    if (error instanceof SyntaxError) return null;
    throw error;
  });
  if (typeof reply !== 'object' || reply === null) throw createForeignReplyError(response);
  return reply;
}

async function readReply(response: Response, [, , kind = 'json']: Address): Promise<unknown> {
  if (kind === 'events') return response;
  if (kind === 'nothing') return undefined;
  if (kind === 'text') return response.text();
  if (kind === 'bytes') return new Uint8Array(await response.arrayBuffer());
  const reply = await readJson(response);
  if (kind === 'json') return reply;
  if (!Array.isArray(reply)) throw createForeignReplyError(response);
  return {
    [kind.page]: reply,
    total: Number(response.headers.get('X-Total-Count') ?? reply.length),
  };
}

/** Replies are checked to be JSON, and a list where one is due; their members have the types of the table. */
export function createRouteMethods(transport: Transport): RouteMethods {
  const methods = Object.entries<Address>(ADDRESSES).map(([name, address]) => [
    name,
    async (...args: unknown[]) => readReply(await sendTo(transport, address, args), address),
  ]);
  return Object.fromEntries(methods);
}

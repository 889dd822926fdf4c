import { request as sendHttp, type IncomingMessage } from 'node:http';
import { request as sendHttps } from 'node:https';
import { timingSafeEqual } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Context, Middleware } from 'koa';
import Type from 'typebox';
import { Check } from 'typebox/value';
import { SvcError, toErrorMessage } from '../../base/errors/errors.ts';
import { parseJsonOrNull } from '../../base/json/parseJsonOrNull.ts';
import { digestSha256 } from '../../base/system/ids/ids.ts';
import { Member } from '../../contract/schema/runner/caller.ts';
import { MAX_REQUEST_BYTES } from '../../contract/channel/limits.ts';
import type { Database } from '../database/database.ts';
import type { RunnerReply, RunnerRequest } from './runnerDirectory.ts';

/** Below it, nodes ask each other. */
export const NODE_PREFIX = '/internal/runners';
/** Head of a request and of its reply, as base64url of JSON. */
const HEAD = 'x-svc-forwarded';

const Headers = Type.Record(Type.String(), Type.String());
const ForwardedRequest = Type.Object({
  method: Type.String(),
  path: Type.String(),
  headers: Headers,
  person: Type.Union([Member, Type.Null()]),
});
const ForwardedReply = Type.Object({ status: Type.Integer(), headers: Headers });

const formatHead = (value: object): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');

const parseHead = (text: string | string[] | undefined): unknown =>
  typeof text === 'string'
    ? parseJsonOrNull(Buffer.from(text, 'base64url').toString('utf8'))
    : null;

/** The secret by which nodes of one database know each other; read once. */
export function createSecretReader({ sql }: Database): () => Promise<string> {
  let secret: string | null = null;
  return async () => {
    if (secret === null) {
      const [row] = await sql`select secret from cluster`;
      secret = String(row?.secret ?? '');
      if (secret === '') throw new SvcError('internal', 'The nodes have no secret.');
    }
    return secret;
  };
}

interface NodeClient {
  address: string;
  secret: string;
}

/** Asks a runner that is connected to another node. */
export function askNode(
  { address, secret }: NodeClient,
  runnerId: string,
  { method, path, headers, person, body, signal }: RunnerRequest,
): Promise<RunnerReply> {
  const url = new URL(`${address.replace(/\/+$/, '')}${NODE_PREFIX}/${runnerId}`);
  const send = url.protocol === 'https:' ? sendHttps : sendHttp;
  const { userId = '', name = '', role = 'viewer' } = person ?? {};
  return new Promise((resolve, reject) => {
    const request = send(url, {
      method: 'POST',
      signal,
      headers: {
        authorization: `Bearer ${secret}`,
        [HEAD]: formatHead({ method, path, headers, person: person && { userId, name, role } }),
        'content-length': String(body?.length ?? 0),
      },
    });
    request.once('error', (error) =>
      reject(signal.aborted ? error : createNodeFault(toErrorMessage(error))),
    );
    request.once('response', (reply: IncomingMessage) => {
      const head = parseHead(reply.headers[HEAD]);
      if (reply.statusCode === 200 && Check(ForwardedReply, head))
        resolve({ ...head, body: reply });
      else {
        reply.resume();
        const code = reply.headers['x-svc-refusal'];
        reject(
          code === 'runner-timeout'
            ? new SvcError('runner-timeout', 'The runner has not answered in time.')
            : createNodeFault(`the node answers with status ${reply.statusCode}`),
        );
      }
    });
    request.end(body);
  });
}

/** Made once: an abort without a reason makes an error with its stack, for each request. */
const LEFT = new Error('The node that asks has left.');

const createNodeFault = (detail: string): SvcError =>
  new SvcError('runner-away', `The runner cannot be reached: ${detail}. Send the request again.`);

async function readBody({ req }: Context): Promise<Uint8Array | null> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of req) {
    bytes += part.length;
    if (bytes > MAX_REQUEST_BYTES) throw new SvcError('too-large', 'The body is too large.');
    parts.push(part);
  }
  return bytes === 0 ? null : Buffer.concat(parts);
}

/** Answers other nodes. Without the secret, the address does not exist. */
export const answerNodes =
  (
    readSecret: () => Promise<string>,
    askHere: (runnerId: string, request: RunnerRequest) => Promise<RunnerReply>,
  ): Middleware =>
  async (ctx) => {
    const [, token = ''] = /^Bearer +(\S+)$/.exec(ctx.get('Authorization')) ?? [];
    const secret = await readSecret();
    const [, runnerId] = /^\/internal\/runners\/([0-9a-z]{1,32})$/.exec(ctx.path) ?? [];
    const isNode = timingSafeEqual(digestSha256(token), digestSha256(secret));
    const head = parseHead(ctx.get(HEAD));
    if (!isNode || runnerId === undefined || ctx.method !== 'POST')
      throw new SvcError('not-found', 'No such route. GET /openapi.json lists all routes.');
    if (!Check(ForwardedRequest, head))
      throw new SvcError('malformed', 'The forwarded request is not valid.');
    const leaving = new AbortController();
    ctx.res.once('close', () => leaving.abort(LEFT));
    const request = { ...head, body: await readBody(ctx), signal: leaving.signal };
    try {
      const { status, headers, body } = await askHere(runnerId, request);
      ctx.set(HEAD, formatHead({ status, headers }));
      ctx.type = 'application/octet-stream';
      const bytes = Readable.from(body, { objectMode: false });
      bytes.once('error', () => ctx.res.destroy());
      ctx.body = bytes;
    } catch (error) {
      if (error instanceof SvcError) ctx.set('X-Svc-Refusal', error.code);
      throw error;
    }
  };

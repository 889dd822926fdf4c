import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const ACCESS_TOKEN = 'canary-access-token-0123456789';
export const LASTING_TOKEN = 'canary-lasting-token-0123456789';

const readFormBody = async (request: IncomingMessage): Promise<URLSearchParams> => {
  let text = '';
  for await (const part of request) text += part;
  return new URLSearchParams(text);
};

function answer(reply: ServerResponse, status: number, body: Record<string, unknown>): void {
  reply.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  reply.end(JSON.stringify(body));
}

/**
 * An authorization server on loopback that answers as RFC 6749 and RFC 7636 say: codes are good
 * once, the verifier must fit the challenge, errors are JSON with status 400.
 */
export async function fakeVendor() {
  const codes = new Map<string, { challenge: string; redirectUri: string }>();
  const seen: URLSearchParams[] = [];
  const heldReplies: ServerResponse[] = [];
  const mode = { isSlow: false, refuses: false };
  let count = 0;

  const authorize = (query: URLSearchParams, reply: ServerResponse): void => {
    const back = new URL(query.get('redirect_uri') ?? '');
    back.searchParams.set('state', query.get('state') ?? '');
    if (mode.refuses) back.searchParams.set('error', 'access_denied');
    else {
      const code = `canary-code-${++count}`;
      const challenge = query.get('code_challenge') ?? '';
      codes.set(code, { challenge, redirectUri: query.get('redirect_uri') ?? '' });
      back.searchParams.set('code', code);
    }
    reply.writeHead(302, { Location: back.href }).end();
  };
  const redeem = async (request: IncomingMessage, reply: ServerResponse): Promise<void> => {
    const form = await readFormBody(request);
    seen.push(form);
    if (mode.isSlow) return void heldReplies.push(reply);
    const entry = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const verifier = createHash('sha256').update(form.get('code_verifier') ?? '');
    const fits =
      form.get('grant_type') === 'authorization_code' &&
      entry?.redirectUri === form.get('redirect_uri') &&
      entry?.challenge === verifier.digest('base64url');
    if (!fits) return answer(reply, 400, { error: 'invalid_grant' });
    return answer(reply, 200, { access_token: ACCESS_TOKEN, token_type: 'Bearer' });
  };
  const server = createServer((request, reply) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://vendor');
    if (pathname === '/authorize') authorize(searchParams, reply);
    else if (pathname === '/token') void redeem(request, reply);
    else if (request.headers.authorization !== `Bearer ${ACCESS_TOKEN}`)
      answer(reply, 401, { error: 'invalid_token' });
    else answer(reply, 200, { access_token: LASTING_TOKEN });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    mode,
    seen,
    /** What the vendor sends the browser back with. */
    async visit(
      url: string,
    ): Promise<{ code: string | null; state: string; error: string | null }> {
      const reply = await fetch(url, { redirect: 'manual' });
      const { searchParams } = new URL(reply.headers.get('Location') ?? '');
      return {
        code: searchParams.get('code'),
        state: searchParams.get('state') ?? '',
        error: searchParams.get('error'),
      };
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

const CAPABILITIES = {
  steering: false,
  foldMidTurn: false,
  cancelsToolCalls: false,
  resume: false,
  skills: false,
  systemPrompt: false,
};

const SOURCE = `
export default {
  kind: 'executor',
  create: ({ config, request }) => ({
    capabilities: ${JSON.stringify(CAPABILITIES)},
    async run() { throw new Error('it runs nothing'); },
    login: {
      async start({ state, codeChallenge, codeChallengeMethod, redirectUri }) {
        const query = new URLSearchParams({
          response_type: 'code', client_id: 'svc', redirect_uri: redirectUri, state,
          code_challenge: codeChallenge, code_challenge_method: codeChallengeMethod,
        });
        return { kind: 'browser', url: config.site + '/authorize?' + query };
      },
      async complete({ code, codeVerifier, redirectUri }) {
        const body = new URLSearchParams({
          grant_type: 'authorization_code', client_id: 'svc', code,
          code_verifier: codeVerifier, redirect_uri: redirectUri,
        }).toString();
        const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
        const { status, text } = await request(config.site + '/token', { method: 'POST', headers, body, timeoutMs: 500 });
        const said = JSON.parse(text);
        if (status !== 200)
          throw Object.assign(new Error('The vendor refuses the code ' + code + ': ' + said.error), { code: 'bad-argument' });
        return { accessToken: said.access_token };
      },
      async longLivedToken() {
        const headers = { Authorization: 'Bearer ' + config.accessToken };
        const { status, text } = await request(config.site + '/lasting', { method: 'POST', headers, body: '' });
        if (status !== 200)
          throw Object.assign(new Error('The vendor does not know the login: log in first.'), { code: 'forbidden' });
        return { accessToken: JSON.parse(text).access_token };
      },
    },
  }),
};`;

/** An executor `fake` that is logged in at the vendor at its setting `site`. */
export const OAUTH_PLUGIN = {
  'package.json': JSON.stringify({
    name: 'svc-plugin-fake',
    version: '1.0.0',
    type: 'module',
    svc: {
      contract: 1,
      id: 'fake',
      kind: 'executor',
      title: 'Logs in at a vendor',
      entry: './index.js',
      capabilities: CAPABILITIES,
      offers: ['login'],
      settings: {
        site: { type: 'string', description: 'Address of the vendor.' },
        retries: { type: 'integer', description: 'How often it tries again.', default: 2 },
        accessToken: { type: 'string', description: 'Token of the login.', secret: true },
      },
    },
  }),
  'index.js': SOURCE,
};

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { SvcError } from '../../src/base/errors/errors.ts';
import type { Io } from '../io.ts';
import {
  type AuthorizationRequest,
  createAuthorizationRequest,
  finishAuthorization,
} from './authorizationRequest.ts';
import type { CloudPlace } from './cloudRequest.ts';
import type { CloudMetadata, Tokens } from './oauthTokens.ts';

/** How long the browser may take, ms. */
const BROWSER_MS = 10 * 60_000;
const CALLBACK = '/callback';

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>svc</title>
<p>svc has the answer. Continue in the terminal; you can close this page.</p>
</html>
`;

/** Listens on a free port of 127.0.0.1; null where none can be had. */
async function openCallbackPort(): Promise<{ server: Server; port: number } | null> {
  const server = createServer();
  try {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  } catch {
    return null;
  }
  const address = server.address();
  return typeof address === 'object' && address !== null ? { server, port: address.port } : null;
}

/** The parameters of the first request that answers this authorization; others get 404. */
const awaitCallback = (server: Server, { state }: AuthorizationRequest): Promise<URLSearchParams> =>
  new Promise((resolve) => {
    server.on('request', (req, res) => {
      const url = new URL(req.url ?? '/', 'http://127.0.0.1');
      // A page of another site can ask here too; without the state it has no effect.
      if (url.pathname !== CALLBACK || url.searchParams.get('state') !== state) {
        res.writeHead(404, { Connection: 'close' }).end();
        return;
      }
      res.writeHead(200, {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
        'Referrer-Policy': 'no-referrer',
        Connection: 'close',
      });
      res.end(PAGE, () => resolve(url.searchParams));
    });
  });

/**
 * Logs in with the browser of this machine. null where it cannot: no port, or no browser that
 * opens. `openPage`: false = it did not open.
 */
export async function logInByBrowser(
  place: CloudPlace & { io: Pick<Io, 'fetch' | 'after' | 'err'> },
  metadata: CloudMetadata,
  openPage: (url: string) => Promise<boolean>,
): Promise<Tokens | null> {
  const callbackPort = await openCallbackPort();
  if (callbackPort === null) return null;
  const { server, port } = callbackPort;
  const { io } = place;
  let cancel = () => {};
  try {
    const request = createAuthorizationRequest(metadata, `http://127.0.0.1:${port}${CALLBACK}`);
    const callback = awaitCallback(server, request);
    if (!(await openPage(request.url))) return null;
    io.err(
      `Your browser opens. If it does not, open this address on this machine:\n${request.url}\n`,
    );
    const late = new Promise<never>((_, reject) => {
      cancel = io.after(BROWSER_MS, () =>
        reject(
          new SvcError(
            'unauthorized',
            'The browser did not come back within ten minutes. Run svc login again.',
          ),
        ),
      );
    });
    return await finishAuthorization(
      place,
      request,
      metadata.issuer,
      await Promise.race([callback, late]),
    );
  } finally {
    cancel();
    server.close();
    server.closeAllConnections();
  }
}

import type { ServerResponse } from 'node:http';
import { request } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createDeferred } from '../../../src/base/concurrency/createDeferred.ts';
import { openNetwork } from '../../../src/base/system/network/network.ts';
import { createSocketAgent } from '../../../src/base/system/network/socketAgent.ts';
import { parseTrustedProxies } from '../../../src/base/system/network/trustedProxies.ts';
import { CloudLink } from '../../../src/cloudLink/cloudLink.ts';
import { postgresPrograms } from '../../support/cloud/openTestDatabase.ts';
import { PASSWORD, PeopleStage } from '../../support/cloud/peopleStage.ts';
import { readEvents } from '../../support/cloud/readEvents.ts';
import {
  CADDY,
  findFreePort,
  NGINX,
  type ReverseProxyKind,
  startReverseProxy,
} from '../../support/cloud/reverseProxies.ts';
import { linkOptions, openOwnServer, waitUntil } from '../../support/cloud/testTeam.ts';
import { AUTHORITY } from '../../support/network/testAuthority.ts';

const test = suite('cloud: behind the reverse proxies of the documents');

const MIB = 1024 * 1024;
/** Far more than all sockets and windows on the way hold. */
const DOWNLOAD = 128 * MIB;

/** Why these tests cannot run here; null = they can. */
function findMissing({ name, program, package: from }: ReverseProxyKind): string | null {
  if (program === null) return `${name} is missing (apt-get install ${from})`;
  return postgresPrograms.length > 0 ? null : 'PostgreSQL is missing (apt-get install postgresql)';
}

/** Sends as much as is taken, up to {@link DOWNLOAD}. */
function sendDownload(res: ServerResponse, download: { sent: number; isEnded: boolean }): void {
  res.once('close', () => {
    download.isEnded = true;
  });
  res.writeHead(200, { 'Content-Type': 'application/octet-stream' });
  const more = () => {
    while (!download.isEnded && download.sent < DOWNLOAD) {
      download.sent += 65_536;
      if (!res.write(Buffer.alloc(65_536))) return void res.once('drain', more);
    }
    res.end();
  };
  more();
}

/** A control plane behind a proxy, with Ada logged in through it, and a runner that is connected through it. */
async function openProxiedTeam(kind: ReverseProxyKind) {
  const port = await findFreePort();
  const publicUrl = `https://localhost:${port}`;
  const trustedProxies = parseTrustedProxies('127.0.0.1');
  const stage = await PeopleStage.open({ publicUrl, trustedProxies });
  const teamId = await stage.addTeam('acme');
  await stage.addPerson('ada', 'owner', teamId);
  const proxy = await startReverseProxy(kind, port, Number(new URL(stage.cloud.url).port));
  const network = await openNetwork({ SSL_CERT_FILE: proxy.authorityFile }, null);
  const visitor = stage.visitor(proxy.url);
  const login = await visitor.logIn('ada@svc.example', PASSWORD);
  const cookie = { Cookie: `__Host-svc_session=${visitor.cookie('__Host-svc_session')}` };
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${proxy.url}${path}`, { ...init, headers: { ...cookie, ...init.headers } });
  const me = await (await ask('/me')).json();
  const change = (path: string, body: string) =>
    ask(path, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json', 'X-Svc-Csrf': me.csrf },
    });
  const { code } = await (await change('/teams/acme/pairing-codes', '{}')).json();
  const paired = await (
    await change('/pair', JSON.stringify({ code, name: 'mac', homeId: 'home1' }))
  ).json();
  /** Asks for a pairing code from an address of this machine, with a forwarded header of its own. */
  const pairFrom = async (localAddress: string) => {
    const answer = createDeferred<void>();
    const headers = {
      ...cookie,
      'Content-Type': 'application/json',
      'X-Svc-Csrf': me.csrf,
      'X-Forwarded-For': '192.0.2.1',
    };
    request(`${proxy.url}/teams/acme/pairing-codes`, {
      method: 'POST',
      headers,
      localAddress,
      ca: AUTHORITY,
    })
      .on('response', (reply) => reply.resume().on('end', () => answer.resolve()))
      .on('error', (error) => answer.reject(error))
      .end('{}');
    await answer.promise;
  };
  /** Event streams of the runner. */
  const streams: ServerResponse[] = [];
  const download = { sent: 0, isEnded: false };
  const own = await openOwnServer((req, res, body) => {
    if (req.url?.startsWith('/jobs/mine/artifacts/')) return sendDownload(res, download);
    if (!req.url?.startsWith('/jobs/mine/stream'))
      return void res
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ bytes: body.length }));
    res.writeHead(200, { 'Content-Type': 'text/event-stream' });
    res.write(': begin\n\n');
    streams.push(res);
  });
  const connections: string[] = [];
  const link = new CloudLink(
    linkOptions(proxy.url, paired.token, own.listener, {
      agent: createSocketAgent(
        new URL(proxy.url),
        { httpProxy: null, httpsProxy: null, noProxy: '' },
        [AUTHORITY],
      ),
      onConnection: (connection) => connections.push(connection),
    }),
  );
  return {
    login,
    me,
    visitor,
    download,
    ask,
    change,
    pairFrom,
    streams,
    connections,
    own,
    async close() {
      link.close();
      await proxy.stop();
      await network.close();
      await own.close();
      await stage.close();
    },
  };
}

for (const kind of [CADDY, NGINX]) {
  const missing = findMissing(kind);
  const title = (what: string) => `${kind.name}: ${what}`;
  if (missing !== null) {
    test(title('its block in the documents works'), () =>
      console.log(`left out: the block of ${kind.name}; ${missing}`),
    );
    continue;
  }
  let team: Awaited<ReturnType<typeof openProxiedTeam>>;

  test(title('a login works, and its cookie never travels without TLS (CLD-1)'), async () => {
    team = await openProxiedTeam(kind);
    assert.is(team.login.status, 303);
    const attributes = team.visitor.cookies.get('__Host-svc_session')?.attributes.split('; ') ?? [];
    assert.ok(attributes.includes('secure') && attributes.includes('httponly'));
    assert.is(team.me.email, 'ada@svc.example');
  });

  test(
    title('the audit log names the address of the client, not one that it claims (CLD-1)'),
    async () => {
      await team.pairFrom('127.0.0.2');
      const { entries } = await (await team.ask('/teams/acme/audit?limit=100')).json();
      assert.is(entries.at(-1).address, '127.0.0.2');
    },
  );

  test(title('a runner connects through it, and answers requests (CLD-1)'), async () => {
    await waitUntil(() => team.connections.includes('connected'));
    const reply = await team.ask('/teams/acme/jobs/mine?runner=mac');
    assert.equal(await reply.json(), { bytes: 0 });
  });

  test(
    title('events arrive while the stream is open, and a reader that leaves ends it'),
    async () => {
      const events = await readEvents(
        { ask: team.ask },
        '/teams/acme/jobs/mine/stream?runner=mac',
        {},
      );
      await waitUntil(() => team.streams.length === 1);
      const [stream] = team.streams;
      let isClosed = false;
      stream?.once('close', () => {
        isClosed = true;
      });
      for (const n of ['1', '2']) {
        // The next one is written only when this one has arrived.
        stream?.write(`id: ${n}\nevent: log\ndata: {}\n\n`);
        assert.is((await events.next('log')).id, n);
      }
      assert.is(isClosed, false);
      await events.close();
      await waitUntil(() => isClosed);
    },
  );

  test(title('a download that no one reads is not taken from the runner whole'), async () => {
    const { download } = team;
    const leaving = new AbortController();
    const reply = await team.ask('/teams/acme/jobs/mine/artifacts/a/content?runner=mac', {
      signal: leaving.signal,
    });
    assert.is(reply.status, 200);
    let last = -1;
    await waitUntil(async () => {
      const isStill = download.sent === last;
      last = download.sent;
      await wait(500);
      return isStill;
    });
    assert.ok(download.sent < DOWNLOAD / 2, `${download.sent} bytes`);
    leaving.abort();
    await waitUntil(() => download.isEnded);
  });

  test(
    title('a body up to 12 MiB passes; what is too large is refused by svc itself'),
    async () => {
      const send = (bytes: number) =>
        team.change(
          '/teams/acme/jobs/mine/message?runner=mac',
          JSON.stringify({ message: 'x'.repeat(bytes) }),
        );
      const passed = await send(20_000);
      assert.is(passed.status, 200, await passed.text());
      const refused = await send(12 * MIB - 100);
      assert.is(refused.status, 413);
      assert.is((await refused.json()).code, 'too-large');
    },
  );

  test(title('it ends with its control plane'), () => team.close());
}

test.run();

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ensureCheckout } from '../../src/git/checkout.ts';
import { Mirrors } from '../../src/git/mirror.ts';
import { ScmCalls } from '../../src/plugins/installedForge/scmCalls.ts';
import { createInstalledTracker } from '../../src/plugins/installedTracker/tracker.ts';
import { AccountClient } from '../../src/providers/account/accountClient.ts';
import { runAsCaller } from '../../src/providers/account/caller.ts';
import { createLocalForge } from '../../src/providers/local/forge.ts';
import { systemClock } from '../../src/base/time/clock.ts';
import { SimulatedClock } from '../support/charts/simulatedClock.ts';
import { answerGit } from '../support/forges/fakeForge/gitHttp.ts';
import { ForgeRows } from '../support/forges/forgeRows.ts';
import { git, makeGitRepository } from '../support/gitRepository.ts';
import { HeldAct } from '../support/standIns/heldAct.ts';
import { unscreened } from '../support/standIns/unscreened.ts';

const test = suite('each write to the world asks whether this runner may act');

const API = 'https://api.test';
const turn = () => new Promise(setImmediate);

/** A client of a server that notes what reaches it. */
const openAccount = (answer: (url: string) => Response = () => new Response('{}')) => {
  const gate = new HeldAct();
  const sent: string[] = [];
  const client = new AccountClient({
    mayAct: gate.mayAct,
    screen: unscreened,
    host: 'api.test',
    clock: systemClock,
    random: () => 0,
    perJob: 100,
    writeGapMs: 0,
    fetch: async (url, init = {}) => {
      sent.push(`${init.method} ${String(url).slice(API.length)}`);
      return answer(String(url));
    },
  });
  return { client, gate, sent };
};

const post = { method: 'POST', body: '{}' };
const graphql = (query: string) => ({ method: 'POST', body: JSON.stringify({ query }) });

test('an account client sends reads, and no write before it may', async () => {
  const { client, gate, sent } = openAccount();
  await client.fetch(`${API}/read`);
  const write = client.fetch(`${API}/write`, post);
  await turn();
  assert.equal(sent, ['GET /read']);
  gate.open();
  await write;
  assert.equal(sent, ['GET /read', 'POST /write']);
});

test('a mutation of GraphQL waits, a query and a login of svc do not', async () => {
  const { client, gate, sent } = openAccount();
  await client.fetch(`${API}/graphql`, graphql('query { viewer }'));
  await client.fetch(`${API}/token`, { ...post, isLogin: true });
  const write = client.fetch(`${API}/graphql`, graphql('mutation { merge }'));
  await turn();
  assert.is(sent.length, 2);
  gate.open();
  await write;
  assert.is(sent.length, 3);
});

test('a write that waits has no row yet: one that never goes out leaves no doubt', async () => {
  const { client, gate } = openAccount();
  const steps: string[] = [];
  const caller = {
    jobId: 'j',
    phase: 'p',
    prepareWrite: async () => void steps.push(`row, asked ${gate.asked} time`),
  };
  const write = runAsCaller(caller, () => client.fetch(`${API}/write`, post));
  await turn();
  assert.equal(steps, []);
  gate.open();
  await write;
  assert.equal(steps, ['row, asked 1 time']);
});

test('a lease that ends while the row is written keeps the request back', async () => {
  const { client, gate, sent } = openAccount();
  gate.open();
  const caller = { jobId: 'j', phase: 'p', prepareWrite: async () => gate.shut() };
  const write = runAsCaller(caller, () => client.fetch(`${API}/write`, post));
  await turn();
  assert.equal(sent, []);
  gate.open();
  await write;
  assert.is(sent.length, 1);
});

test('a write that is redirected is asked about again', async () => {
  const { client, gate, sent } = openAccount((url) => {
    if (url.endsWith('/new')) return new Response('{}');
    gate.shut();
    return new Response('', { status: 307, headers: { location: `${API}/new` } });
  });
  gate.open();
  const write = client.fetch(`${API}/old`, post);
  await turn();
  assert.equal(sent, ['POST /old']);
  gate.open();
  await write;
  assert.equal(sent, ['POST /old', 'POST /new']);
});

test('no branch is pushed before it may', async () => {
  const repository = makeGitRepository({ bare: true });
  const dir = mkdtempSync(join(tmpdir(), 'svc-gate-'));
  const server = createServer((req, res) => {
    const rest = (req.url ?? '').replace(/^\/shop/, '');
    answerGit({ gitDir: repository.path }, { login: 'svc' }, rest, req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const gate = new HeldAct();
    const mirrors = new Mirrors({
      mayAct: gate.mayAct,
      dir: join(dir, 'mirrors'),
      network: () => ({ url: `http://127.0.0.1:${port}/shop`, username: 'svc', password: 'p' }),
    });
    const { path } = await mirrors.fetch('shop');
    const { absDir } = await ensureCheckout({
      repoPath: path,
      jobDir: join(dir, 'job'),
      slug: 'shop',
      baseBranch: 'main',
    });
    git(absDir, ['switch', '--quiet', '-c', 'feature', 'origin/main']);
    writeFileSync(join(absDir, 'b.txt'), 'b\n');
    git(absDir, ['add', '--all']);
    git(absDir, ['commit', '--quiet', '-m', 'Feature']);
    const push = mirrors.push('shop', absDir, 'feature');
    await gate.nextAsk(push);
    assert.is(repository.git('branch', '--list', 'feature'), '');
    gate.open();
    await push;
    assert.is(repository.git('log', '-1', '--format=%s', 'feature'), 'Feature');
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(dir, { recursive: true, force: true });
    repository.remove();
  }
});

test('no repository on this disk is merged before it may', async () => {
  const repository = makeGitRepository({ bare: true });
  repository.commit({ 'b.txt': 'b\n' }, { branch: 'feature' });
  const gate = new HeldAct();
  gate.open();
  const rows = new ForgeRows();
  const forge = createLocalForge({
    mayAct: gate.mayAct,
    repos: { shop: { path: repository.path, defaultBranch: 'main' } },
    rows,
    webUrl: () => '',
  });
  const by = (operationId: string) => ({ author: 'ann', at: Date.UTC(2026, 0, 2), operationId });
  const pr = { repo: 'shop', head: 'feature', base: 'main', title: 'F', body: '' };
  rows.commit(await forge.write('create_pr', { ...pr, checkoutDir: '' } as never, by('1')));
  gate.shut();
  const before = repository.git('rev-parse', 'main');
  const merge = forge.write('merge_pr', { repo: 'shop', number: 1 }, by('2'));
  await gate.nextAsk(merge);
  assert.is(repository.git('rev-parse', 'main'), before);
  gate.open();
  await merge;
  assert.is.not(repository.git('rev-parse', 'main'), before);
  repository.remove();
});

test('no plugin of a forge is called to write before it may', async () => {
  const gate = new HeldAct();
  const called: string[] = [];
  const calls = new ScmCalls({
    mayAct: gate.mayAct,
    id: 'it',
    clock: new SimulatedClock(),
    perJob: 100,
    async ask({ method }) {
      called.push(method);
      return 'svc-robot';
    },
    screen: unscreened,
    onSecret: () => {},
  });
  await calls.read('self');
  const write = calls.write('self');
  await turn();
  assert.equal(called, ['self']);
  gate.open();
  await write;
  assert.equal(called, ['self', 'self']);
});

for (const [operation, args] of [
  ['post_comment', { key: 'B-1', body: 'hello' }],
  ['transition_issue', { key: 'B-1', status: 'done' }],
] as const)
  test(`no plugin of a tracker is called for ${operation} before it may`, async () => {
    const gate = new HeldAct();
    const called: string[] = [];
    const tracker = createInstalledTracker({
      mayAct: gate.mayAct,
      id: 'board',
      issueAt: false,
      async ask({ method }) {
        called.push(method);
        return method === 'comment'
          ? { id: '1', author: 'svc', body: 'hello', at: '2026-01-01T00:00:00Z' }
          : { key: 'B-1', title: 'T', body: 'B', status: 'done', url: 'http://board/1' };
      },
      screen: unscreened,
    });
    await tracker.issue('B-1');
    const write = tracker.write(operation, args, {
      author: 'a',
      at: 0,
      operationId: 'op',
    } as never);
    await turn();
    assert.equal(called, ['issue']);
    gate.open();
    await write;
    assert.is(called.length, 2);
  });

test.run();

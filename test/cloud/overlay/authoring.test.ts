import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MAX_INTELLIGENCE_CHARS } from '../../../src/contract/schema/workflow/intelligence.ts';
import { defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import type { TestControlPlane } from '../../support/cloud/startTestControlPlane.ts';
import { asUser, startTeamNode } from '../../support/cloud/testTeam.ts';

const test = suite("cloud: the files of a team's overlay are edited");
const dbTest = defineDatabaseTests(test);

let node: TestControlPlane;
let other: TestControlPlane;

interface FileRequest {
  path: string;
  text?: string;
  etag?: string | null;
  userId?: string;
  at?: TestControlPlane;
}

async function ask(
  method: string,
  address: string,
  { userId = 'adm', etag, text, at }: FileRequest,
) {
  const reply = await (at ?? node).ask(`/teams/acme/intelligence/${address}`, {
    method,
    headers: { ...asUser(userId), ...(etag ? { 'If-Match': etag } : {}) },
    ...(text === undefined ? {} : { body: JSON.stringify({ text }) }),
  });
  const body = await reply.text();
  return {
    status: reply.status,
    etag: reply.headers.get('etag'),
    body: body === '' ? null : JSON.parse(body),
  };
}

const write = (request: FileRequest & { text: string }) =>
  ask('PUT', `file?path=${encodeURIComponent(request.path)}`, request);
const remove = (request: FileRequest) =>
  ask('DELETE', `file?path=${encodeURIComponent(request.path)}`, request);
const read = (address: string, path: string, userId = 'vic') =>
  ask('GET', `${address}path=${encodeURIComponent(path)}`, { path, userId });
const readVersion = async (): Promise<number> =>
  (await (await node.ask('/teams/acme/overlay', { headers: asUser('vic') })).json()).version;

dbTest('two nodes', async () => {
  node = await startTeamNode();
  other = await startTeamNode({ databaseUrl: node.databaseUrl });
});
test.after(async () => {
  await node?.stop();
  await other?.stop();
});

dbTest('a saved file is the next version, with its author (CLD-3)', async () => {
  const saved = await write({ path: 'memory/a.md', text: 'one\n' });
  assert.equal([saved.status, saved.body], [200, { path: 'memory/a.md', diagnostics: [] }]);
  const { body, etag } = await read('file?', 'memory/a.md');
  assert.equal([body.text, body.layer, etag], ['one\n', 'tenant', saved.etag]);
  const versions = await node.ask('/teams/acme/overlay/versions', { headers: asUser('vic') });
  const [newest] = await versions.json();
  assert.equal([newest.version, newest.author], [1, 'adm']);
});

dbTest('only an admin may save, and the others see that they may not', async () => {
  const editable = async (userId: string) =>
    (await ask('GET', 'layers', { path: '', userId })).body.layers.map(
      (layer: { editable: boolean }) => layer.editable,
    );
  assert.equal(await editable('adm'), [false, true]);
  assert.equal(await editable('ben'), [false, false]);
  assert.is((await write({ path: 'memory/b.md', text: 'x', userId: 'ben' })).status, 403);
  assert.is((await remove({ path: 'memory/a.md', userId: 'ben' })).status, 403);
});

dbTest('a save replaces the version that was read, and no other', async () => {
  const { etag } = await read('file?', 'memory/a.md');
  assert.is(
    (await write({ path: 'memory/a.md', text: 'two\n' })).body.code,
    'precondition-required',
  );
  assert.is((await write({ path: 'memory/a.md', text: 'two\n', etag })).status, 200);
  const late = await write({ path: 'memory/a.md', text: 'three\n', etag });
  assert.is(late.body.code, 'precondition-failed');
  assert.is((await remove({ path: 'memory/a.md', etag })).body.code, 'precondition-failed');
});

dbTest('a proxy that compresses answers makes the ETag weak, which still counts', async () => {
  const { etag } = await read('file?', 'memory/a.md');
  const before = await readVersion();
  assert.is((await write({ path: 'memory/a.md', text: 'two\n', etag: `W/${etag}` })).status, 200);
  assert.is(await readVersion(), before, 'the same text is no new version');
});

dbTest('of two saves of a file on two nodes one counts (CLD-3)', async () => {
  const { etag } = await read('file?', 'memory/a.md');
  const before = await readVersion();
  const both = await Promise.all([
    write({ path: 'memory/a.md', text: 'here\n', etag }),
    write({ path: 'memory/a.md', text: 'there\n', etag, at: other }),
  ]);
  assert.equal(both.map(({ status }) => status).toSorted(), [200, 412]);
  assert.is(await readVersion(), before + 1);
});

dbTest('saves of different files on two nodes are both kept', async () => {
  const names = ['c', 'd', 'e', 'f'];
  const all = await Promise.all(
    names.map((name, n) =>
      write({ path: `memory/${name}.md`, text: 'x\n', at: n % 2 === 0 ? node : other }),
    ),
  );
  assert.equal([...new Set(all.map(({ status }) => status))], [200]);
  const { layers } = (await ask('GET', 'layers', { path: '' })).body;
  assert.equal(
    layers[1].files.map(({ path }: { path: string }) => path),
    ['a', ...names].map((name) => `memory/${name}.md`),
  );
});

dbTest('a workflow with an error is not saved, and its findings are named', async () => {
  const before = await readVersion();
  const { status, body } = await write({ path: 'workflows/w.md', text: '---\nphases: 1\n---\n' });
  assert.equal([status, body.code], [422, 'workflow-invalid']);
  assert.is(body.diagnostics[0].file, 'workflows/w.md');
  assert.is(await readVersion(), before);
});

dbTest('what could run, and a path that leaves the overlay, is refused', async () => {
  for (const path of ['scripts/run.sh', 'memory/../x.md', '/memory/x.md', 'memory\\x.md'])
    assert.is((await write({ path, text: 'x' })).body.code, 'bad-argument', path);
});

dbTest('a text that is too long, or holds a token, is refused', async () => {
  const long = await write({ path: 'memory/g.md', text: 'x'.repeat(MAX_INTELLIGENCE_CHARS + 1) });
  assert.is(long.body.code, 'invalid');
  const token = `ghp_${'a1B2'.repeat(9)}`;
  const secret = await write({ path: 'memory/g.md', text: `Use ${token}.` });
  assert.is(secret.status, 422);
  assert.not.match(JSON.stringify(secret.body), token);
});

dbTest('the history of a file names who changed it, and has each older text (CLD-3)', async () => {
  const { etag } = await read('file?', 'memory/c.md');
  const changed = await write({ path: 'memory/c.md', text: 'ÿ\n', etag });
  assert.is((await remove({ path: 'memory/c.md', etag: changed.etag })).status, 204);
  const { body } = await read('history?', 'memory/c.md');
  assert.equal(
    body.map(({ change, author, chars }: Record<string, unknown>) => [change, author, chars]),
    [
      ['removed', 'adm', 0],
      ['changed', 'adm', 2],
      ['created', 'adm', 2],
    ],
  );
  const texts = await Promise.all(
    body.map(({ n }: { n: number }) => read(`version?n=${n}&`, 'memory/c.md')),
  );
  assert.equal(
    texts.map((one) => one.body.text),
    [null, 'ÿ\n', 'x\n'],
  );
  assert.is((await read('version?n=999&', 'memory/c.md')).status, 404);
});

dbTest('a file is shown as agents see it, and a repository has no layer here', async () => {
  const { body } = await read('merged?', 'memory/d.md');
  assert.match(body.text, 'x\n');
  assert.is((await read('merged?repo=shop&', 'memory/d.md')).body.code, 'bad-argument');
  assert.is((await ask('GET', 'layers?repo=shop', { path: '' })).body.code, 'bad-argument');
});

dbTest('another team reads and changes nothing of it', async () => {
  assert.is((await ask('GET', 'layers', { path: '', userId: 'eve' })).status, 404);
  assert.is((await write({ path: 'memory/a.md', text: 'x', userId: 'eve' })).status, 404);
});

dbTest('a team whose overlay is in a repository changes it there alone', async () => {
  const setRepository = (overlayRepository: object | null) =>
    node.ask('/teams/acme', {
      method: 'PATCH',
      headers: asUser('adm'),
      body: JSON.stringify({ overlayRepository }),
    });
  const repository = { forge: 'github', repository: 'acme/overlay', branch: 'main', folder: 'svc' };
  assert.is((await setRepository(repository)).status, 200);
  const before = await readVersion();
  const refused = await write({ path: 'memory/h.md', text: 'x\n' });
  assert.is(refused.body.code, 'not-possible-now');
  assert.is(await readVersion(), before);
  assert.is((await setRepository(null)).status, 200);
});

dbTest('each change is in the audit log, with the path of its file', async () => {
  for (const action of ['writeTeamFile', 'removeTeamFile']) {
    const reply = await node.ask(`/teams/acme/audit?action=${action}&limit=1000`, {
      headers: asUser('adm'),
    });
    const { entries } = await reply.json();
    const paths = entries.map(({ target }: { target: { path?: string } }) => target.path);
    assert.ok(paths.includes('memory/c.md'), `${action}: ${paths}`);
  }
});

test.run();

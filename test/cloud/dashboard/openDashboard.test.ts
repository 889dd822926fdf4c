import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { postgresPrograms } from '../../support/cloud/openTestDatabase.ts';
import { PASSWORD, PeopleStage } from '../../support/cloud/peopleStage.ts';

const test = suite('cloud/dashboard: the pages of teams');

const readMeta = (text: string, name: string): string | undefined =>
  new RegExp(`<meta name="${name}" content="([^"]*)">`).exec(text)?.[1];

if (postgresPrograms.length > 0) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-dashboard-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><html><head><title>svc</title></head></html>',
  );
  writeFileSync(join(folder, 'assets', 'index-1.js'), 'export {};');
  const stage = await PeopleStage.open({ dashboard: folder });
  const teamId = await stage.addTeam('acme');
  await stage.addTeam('other');
  await stage.addPerson('ada', 'owner', teamId);
  await stage.addPerson('eve');
  test.after(async () => {
    await stage.close();
    rmSync(folder, { recursive: true });
  });
  const ada = stage.visitor();
  await ada.logIn('ada@svc.example', PASSWORD);

  test('a browser without a login gets the login page, which leads back (CLD-5)', async () => {
    const reply = await stage.visitor().open('/t/acme/');
    assert.is(reply.status, 302);
    assert.is(reply.location, '/auth/login?next=%2Ft%2Facme%2F');
    const visitor = stage.visitor();
    assert.is((await visitor.logIn('ada@svc.example', PASSWORD, '/t/acme/')).location, '/t/acme/');
  });

  test('a browser at an address that does not exist gets a page, and other clients a problem document (CLD-5)', async () => {
    assert.is((await stage.visitor().open('/login')).location, '/t/');
    const missing = await stage.visitor().open('/nowhere');
    assert.is(missing.status, 404);
    assert.is(missing.headers.get('Content-Type'), 'text/html; charset=utf-8');
    for (const path of ['/login', '/nowhere']) {
      const reply = await stage.visitor().send(path, { headers: { Accept: '*/*' } });
      assert.is(reply.status, 404, path);
      assert.is(reply.headers.get('Content-Type'), 'application/problem+json', path);
    }
  });

  test('the page of a team names its API and carries the second value of the login', async () => {
    const page = await ada.open('/t/acme/');
    assert.is(page.status, 200);
    assert.is(readMeta(page.text, 'svc-api'), '/teams/acme');
    const me = await ada.send('/me', { headers: { Accept: 'application/json' } });
    assert.is(readMeta(page.text, 'svc-csrf'), JSON.parse(me.text).csrf);
  });

  test('the page may run its own scripts alone, in no frame, and is not stored', async () => {
    const { headers } = await ada.open('/t/acme/');
    const policy = headers.get('Content-Security-Policy') ?? '';
    assert.ok(policy.includes("script-src 'self'"));
    assert.ok(policy.includes("default-src 'none'"));
    assert.ok(policy.includes("frame-ancestors 'none'"));
    assert.not.ok(policy.includes('unsafe'));
    assert.is(headers.get('Cache-Control'), 'no-store');
  });

  test('a login leads to the first team, and without a team to the page of the account', async () => {
    assert.is((await ada.open('/')).location, '/t/');
    assert.is((await ada.open('/t/')).location, '/t/acme/');
    const eve = stage.visitor();
    await eve.logIn('eve@svc.example', PASSWORD);
    assert.is((await eve.open('/t/')).location, '/auth/home');
  });

  test('a foreign team looks like one that does not exist', async () => {
    const foreign = await ada.open('/t/other/');
    const unknown = await ada.open('/t/nothing/');
    assert.is(foreign.status, 404);
    assert.is(unknown.status, 404);
    assert.is(foreign.text, unknown.text);
  });

  test('an id, or an address without its slash, leads to the address by slug', async () => {
    assert.is((await ada.open(`/t/${teamId}/`)).location, '/t/acme/');
    assert.is((await ada.open('/t/acme')).location, '/t/acme/');
  });

  test('the files are those of the runner; the page of a runner is not among them', async () => {
    const file = await stage.visitor().open('/dashboard/assets/index-1.js');
    assert.is(file.status, 200);
    assert.match(file.headers.get('Cache-Control') ?? '', 'immutable');
    assert.is((await ada.open('/dashboard/')).location, '/t/');
    assert.is((await ada.open('/dashboard/index.html')).location, '/t/');
    assert.is((await ada.open('/dashboard/assets/../../package.json')).status, 404);
  });

  test('no other method than reading', async () => {
    assert.is((await ada.post('/t/acme/', {})).status, 405);
  });
}

test.run();

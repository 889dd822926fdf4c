import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type SessionPlaces, computeReach } from '../../../src/executors/sandbox/computeReach.ts';

const test = suite('sandbox: what a session reaches');

const PLACES: SessionPlaces = {
  home: '/home/ana/.svc',
  workingDir: '/home/ana/.svc/work',
  jobDir: '/home/ana/.svc/work/shop-1',
  shared: [],
  programs: ['/usr/lib/node_modules/svc', '/usr/bin/node'],
  personHome: '/home/ana',
};
const reach = (places: Partial<SessionPlaces> = {}, hosts: string[] = []) =>
  computeReach({ ...PLACES, ...places }, hosts);

test('of the folder of svc only the folder of the job is writable and seen', () => {
  assert.equal(reach().write, ['/home/ana/.svc/work/shop-1']);
  assert.ok(reach().hide.includes('/home/ana/.svc'));
  assert.equal(reach().show, []);
});

test('a working folder elsewhere is hidden too: other jobs are in it', () => {
  const { hide } = reach({ workingDir: '/srv/jobs', jobDir: '/srv/jobs/shop-1' });
  assert.ok(hide.includes('/srv/jobs'));
  assert.ok(hide.includes('/home/ana/.svc'));
});

test('logins, browsers and sockets that command the machine are hidden', () => {
  const { hide } = reach();
  for (const path of ['.ssh', '.aws', '.config/gh', '.netrc', '.mozilla'])
    assert.ok(hide.includes(`/home/ana/${path}`), path);
  assert.ok(hide.includes('/run/docker.sock'));
});

test('the contracts of a campaign are shared with its sub-runs', () => {
  const shared = ['/home/ana/.svc/work/campaign-1/contracts'];
  assert.equal(reach({ shared }).write, ['/home/ana/.svc/work/shop-1', ...shared]);
});

test('the caches of a checkout are writable, and no others', () => {
  const caches = ['/home/ana/.svc/caches/shop/.npm'];
  assert.equal(reach({ caches }).write, ['/home/ana/.svc/work/shop-1', ...caches]);
});

test('a program in a hidden place is shown, what holds a hidden place is not', () => {
  const layer = '/home/ana/.svc/layers/team';
  assert.equal(reach({ programs: [layer, '/usr/bin/node'] }).show, [layer]);
  assert.equal(reach({ programs: ['/tmp/svc'] }).show, ['/tmp/svc']);
  assert.equal(reach({ programs: ['/home/ana/.svc', '/home/ana/.svc/work'] }).show, []);
});

test('a host is named once', () => {
  assert.equal(reach({}, ['a.example', 'b.example', 'a.example']).hosts, [
    'a.example',
    'b.example',
  ]);
});

test.run();

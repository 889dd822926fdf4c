import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  toHashOfPath,
  toRouteHash,
  toJobHash,
  parseRoute,
} from '../../ui/shell/navigation/router.ts';

const test = suite('dashboard: addresses');

const parsePage = (hash: string) => parseRoute(hash).page;

test('every page has an address, followed by the query (UI-1)', () => {
  assert.equal(parseRoute(''), { page: 'home', query: {} });
  assert.equal(parseRoute('#/jobs'), { page: 'jobs', view: 'list', query: {} });
  assert.equal(parseRoute('#/inbox/j1'), { page: 'inbox', itemId: 'j1', query: {} });
  assert.equal(parseRoute('#/?q=slow+job&is=bad'), {
    page: 'jobs',
    view: 'list',
    query: { q: 'slow job', is: 'bad' },
  });
  assert.equal(parseRoute('#/board'), { page: 'jobs', view: 'board', query: {} });
  assert.equal(parseRoute('#/jobs/j1'), {
    page: 'job',
    jobId: 'j1',
    tab: 'overview',
    rest: [],
    query: {},
  });
  assert.equal(parseRoute('#/jobs/j1/changes/local%3Ashop%231'), {
    page: 'job',
    jobId: 'j1',
    tab: 'changes',
    rest: ['local:shop#1'],
    query: {},
  });
  assert.equal(parseRoute('#/new?from=j1'), { page: 'dispatch', query: { from: 'j1' } });
  assert.equal(['#/inbox', '#/workflows/a', '#/machines'].map(parsePage), [
    'inbox',
    'workflows',
    'machines',
  ]);
});

test('an address survives the way there and back, whatever is in it', () => {
  for (const id of ['shop-job-1767225600000', 'a/b?c#d e', 'ü%20', '100%']) {
    const route = parseRoute(toJobHash(id, 'artefacts', 'a/1'));
    assert.equal(route.page === 'job' && [route.jobId, route.tab, route.rest], [
      id,
      'artefacts',
      ['a/1'],
    ]);
  }
  assert.equal(parseRoute(toRouteHash(['new'], { from: 'a&b=c', other: undefined })).query, {
    from: 'a&b=c',
  });
});

test('an unknown address is reported as such, and breaks nothing', () => {
  assert.equal(
    ['#/nowhere', '#/jobs/j1/nothing', '#/inbox/x/y', '#/new/x'].map(parsePage),
    Array(4).fill('missing'),
  );
  assert.is(parseRoute('#/jobs/%E0%A4%A').page, 'job');
});

test('an address with a path and no hash means a place all the same, with its query (HTTP-9)', () => {
  const of = (address: string) => toHashOfPath(new URL(address, 'http://localhost'));
  assert.is(of('/dashboard/'), null);
  assert.is(of('/dashboard/jobs/j1'), '#/jobs/j1');
  assert.is(of('/dashboard/jobs/j1/log?q=error'), '#/jobs/j1/log?q=error');
});

test.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findOperation, type Operation, toTeamRequest } from '../../../ui/team/teamRequests.ts';

const test = suite('dashboard of a team: what of a request is sent');

const toOperation = (method: string, path: string, runner: Operation['runner']): Operation => ({
  name: path,
  method,
  path,
  role: 'viewer',
  allowed: true,
  runner,
});

const operations = [
  toOperation('GET', '/jobs', 'list'),
  toOperation('GET', '/jobs/:jobId', 'of-job'),
  toOperation('GET', '/jobs/counts', 'list'),
  toOperation('GET', '/workflows', 'any'),
  toOperation('GET', '/statistics', 'named'),
];

const send = (path: string, query: Record<string, string> = {}, runner: string | null = null) => {
  const request = { method: 'GET', path, query: new URLSearchParams(query) };
  const teamRequest = toTeamRequest(request, { operations, runner });
  return `${teamRequest.path}?${teamRequest.query}`;
};

test('the list of a team is asked with the filters that it has', () => {
  assert.is(
    send('/jobs', { q: 'a b', limit: '50', subRuns: 'needing', sort: 'title' }),
    '/jobs?q=a+b&limit=50&subRuns=needing',
  );
  assert.is(send('/jobs/counts', { is: 'failed', sum: 'cost' }), '/jobs/counts?is=failed');
});

test('the list of one runner is asked with all of them', () => {
  assert.is(
    send('/jobs', { sort: 'title', limit: '1' }, 'r1'),
    '/jobs?sort=title&limit=1&runner=r1',
  );
  assert.is(send('/jobs/counts', { sum: 'cost' }, 'r1'), '/jobs/counts?sum=cost&runner=r1');
});

test('what needs a person comes from the inbox of the team, also while one runner is shown', () => {
  const query = { needs: 'me', sort: 'since', limit: '500', offset: '0' };
  assert.is(send('/jobs', query), '/inbox?limit=500&offset=0');
  assert.is(send('/jobs', query, 'r1'), '/inbox?limit=500&offset=0');
});

test('what belongs to one runner names it; what belongs to a job does not', () => {
  assert.is(send('/statistics', {}, 'r1'), '/statistics?runner=r1');
  assert.is(send('/workflows', {}, 'r1'), '/workflows?runner=r1');
  assert.is(send('/jobs/j1', {}, 'r1'), '/jobs/j1?');
  assert.is(send('/statistics'), '/statistics?');
});

test('a written-out path comes before one with a name in it', () => {
  assert.is(findOperation(operations, { method: 'GET', path: '/jobs/counts' })?.runner, 'list');
  assert.is(findOperation(operations, { method: 'GET', path: '/jobs/j1' })?.runner, 'of-job');
  assert.is(findOperation(operations, { method: 'POST', path: '/jobs/j1' }), undefined);
});

test.run();

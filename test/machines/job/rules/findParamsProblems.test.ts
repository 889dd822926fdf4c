import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findParamsProblems } from '../../../../machines/job/rules/findToolProblems.ts';
import { MAX_PARAMS_BYTES, RUNNER_OWNED_PARAMS } from '../../../../src/base/jobs/params.ts';

const test = suite('job params');

test('an agent may set its own keys', () => {
  assert.equal(findParamsProblems({ repoSlug: 'shop' }, { lane: 'fast', notes: [1] }), []);
});

for (const key of [
  ...RUNNER_OWNED_PARAMS,
  'repoCheckoutBranch',
  'autoApprove',
  'interactive',
  'writesTo',
  'jiraTicketId',
  'trackerRef',
  'trackerProvider',
]) {
  test(`an agent may not set ${key}`, () => {
    assert.equal(findParamsProblems({}, { [key]: true, lane: 'x' }), [
      `an agent cannot set these keys: ${key}`,
    ]);
  });
}

test('all params together are bounded', () => {
  const large = { a: 'x'.repeat(MAX_PARAMS_BYTES - 20) };
  assert.equal(findParamsProblems(large, { b: 1 }), []);
  assert.match(
    findParamsProblems(large, { b: 'xxxxxxxxxxxxxxxx' })[0] ?? '',
    /would take \d+ bytes of at most 16384/u,
  );
});

test.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { paramsProblems, RUNNER_OWNED_PARAMS } from '../../machines/rules/jobParams.ts';
import { MAX_PARAMS_BYTES } from '../../machines/rules/limits.ts';
import { MAX_PARAMS_BYTES as DECLARED_BYTES, RUNNER_OWNED_PARAMS as DECLARED } from '../../src/schema/job.ts';

const test = suite('job params');

test('an agent may set its own keys', () => {
  assert.equal(paramsProblems({ repoSlug: 'shop' }, { lane: 'fast', notes: [1] }), []);
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
    assert.equal(paramsProblems({}, { [key]: true, lane: 'x' }), [`these keys are not an agent's to set: ${key}`]);
  });
}

test('all params together are bounded', () => {
  const large = { a: 'x'.repeat(MAX_PARAMS_BYTES - 20) };
  assert.equal(paramsProblems(large, { b: 1 }), []);
  assert.match(paramsProblems(large, { b: 'xxxxxxxxxxxxxxxx' })[0] ?? '', /would take \d+ bytes of at most 16384/u);
});

test('the chart and the schema agree', () => {
  assert.equal([...RUNNER_OWNED_PARAMS], [...DECLARED]);
  assert.is(MAX_PARAMS_BYTES, DECLARED_BYTES);
});

test.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  describeTokens,
  describeUnreported,
  formatTokens,
} from '../../../src/base/spending/tokenText.ts';

const test = suite('domain: texts of tokens');

const createUsage = (inputTokens: number, outputTokens: number, unreported: number) => ({
  inputTokens,
  outputTokens,
  unreported,
});

test('tokens that no session has reported are not 0', () => {
  assert.is(describeTokens(createUsage(0, 0, 2)), 'not reported');
  assert.is(formatTokens(0, createUsage(0, 0, 2)), 'unknown');
});

test('tokens that some sessions have not reported are at least so many', () => {
  assert.is(describeTokens(createUsage(5, 3, 1)), '5 in, 3 out; 1 session not reported');
  assert.is(formatTokens(5, createUsage(5, 3, 1)), '5+');
});

test('without a session that ended, nothing was used', () => {
  assert.is(describeTokens(createUsage(0, 0, 0)), '0 in, 0 out');
  assert.is(formatTokens(0, createUsage(0, 0, 0)), '0');
  assert.is(describeUnreported({ unreported: 0 }), null);
});

test('input from a cache is named, and numbers are written as asked', () => {
  const format = (tokens: number) => `<${tokens}>`;
  assert.is(
    describeTokens({ ...createUsage(5, 3, 0), cachedInputTokens: 2 }, format),
    '<5> in (<2> cached), <3> out',
  );
});

test.run();

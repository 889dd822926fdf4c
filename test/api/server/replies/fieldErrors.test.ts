import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Compile } from 'typebox/compile';
import {
  describeFieldErrors,
  joinFieldErrors,
} from '../../../../src/api/server/replies/fieldErrors.ts';
import { SetBudgetBody } from '../../../../src/contract/schema/policy/budget.ts';

const test = suite('errors of a body');

const body = Compile(SetBudgetBody);
const joinErrors = (value: unknown): string => joinFieldErrors(describeFieldErrors(body, value));

test('a number out of bounds is one sentence, also where null is allowed (API-6)', () => {
  assert.is(joinErrors({ caps: { usd: -1 } }), '/caps/usd must be above 0.');
});

test('a value of the wrong type is answered with the right ones (API-6)', () => {
  assert.is(joinErrors({ caps: { usd: 'a lot' } }), '/caps/usd must be number or null.');
});

test.run();

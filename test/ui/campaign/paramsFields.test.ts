import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fieldsOf, guessed, patchOf } from '../../../ui/campaign/paramsFields.ts';

const test = suite('ui campaign: parameters as a form');

const PARAMS = { lane: 'job', retries: 3, broken: true, reviewers: ['ana'] };

test('each parameter is a field of its kind', () => {
  assert.equal(fieldsOf(PARAMS), [
    { name: 'lane', kind: 'text', text: 'job' },
    { name: 'retries', kind: 'number', text: '3' },
    { name: 'broken', kind: 'yes-no', text: 'true' },
    { name: 'reviewers', kind: 'json', text: '["ana"]' },
  ]);
});

const typed = (name: string, text: string) =>
  fieldsOf(PARAMS).map((field) => (field.name === name ? { ...field, text } : field));

test('only what was changed becomes the patch, with the type that it had', () => {
  assert.equal(patchOf(PARAMS, fieldsOf(PARAMS)), { patch: {} });
  assert.equal(patchOf(PARAMS, typed('retries', '5')), { patch: { retries: 5 } });
  assert.equal(patchOf(PARAMS, typed('broken', 'false')), { patch: { broken: false } });
  assert.equal(patchOf(PARAMS, typed('lane', '7')), { patch: { lane: '7' } });
  assert.equal(patchOf(PARAMS, typed('reviewers', '["bo"]')), { patch: { reviewers: ['bo'] } });
});

test('what cannot be read is named', () => {
  assert.equal(patchOf(PARAMS, typed('retries', 'many')), {
    wrong: 'retries: This must be a number.',
  });
  assert.equal(patchOf(PARAMS, typed('reviewers', '[')), {
    wrong: 'reviewers: This must be valid JSON.',
  });
  assert.equal(patchOf(PARAMS, [guessed('', 'x')]), { wrong: 'A new parameter needs a name.' });
});

test('a new parameter has the kind that its value looks like', () => {
  assert.is(guessed('a', 'true').kind, 'yes-no');
  assert.is(guessed('a', ' 12 ').kind, 'number');
  assert.is(guessed('a', '{"b":1}').kind, 'json');
  assert.is(guessed('a', '{b').kind, 'text');
  assert.is(guessed('a', '').kind, 'text');
});

test.run();

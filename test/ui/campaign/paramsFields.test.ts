import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  toParamFields,
  guessParamField,
  buildParamsPatch,
} from '../../../ui/campaign/paramsFields.ts';

const test = suite('ui campaign: parameters as a form');

const PARAMS = { lane: 'job', retries: 3, broken: true, reviewers: ['ana'] };

test('each parameter is a field of its kind', () => {
  assert.equal(toParamFields(PARAMS), [
    { name: 'lane', kind: 'text', text: 'job' },
    { name: 'retries', kind: 'number', text: '3' },
    { name: 'broken', kind: 'yes-no', text: 'true' },
    { name: 'reviewers', kind: 'json', text: '["ana"]' },
  ]);
});

const typeField = (name: string, text: string) =>
  toParamFields(PARAMS).map((field) => (field.name === name ? { ...field, text } : field));

test('only what was changed becomes the patch, with the type that it had', () => {
  assert.equal(buildParamsPatch(PARAMS, toParamFields(PARAMS)), { patch: {} });
  assert.equal(buildParamsPatch(PARAMS, typeField('retries', '5')), { patch: { retries: 5 } });
  assert.equal(buildParamsPatch(PARAMS, typeField('broken', 'false')), {
    patch: { broken: false },
  });
  assert.equal(buildParamsPatch(PARAMS, typeField('lane', '7')), { patch: { lane: '7' } });
  assert.equal(buildParamsPatch(PARAMS, typeField('reviewers', '["bo"]')), {
    patch: { reviewers: ['bo'] },
  });
});

test('what cannot be read is named', () => {
  assert.equal(buildParamsPatch(PARAMS, typeField('retries', 'many')), {
    wrong: 'retries: This must be a number.',
  });
  assert.equal(buildParamsPatch(PARAMS, typeField('reviewers', '[')), {
    wrong: 'reviewers: This must be valid JSON.',
  });
  assert.equal(buildParamsPatch(PARAMS, [guessParamField('', 'x')]), {
    wrong: 'A new parameter needs a name.',
  });
});

test('a new parameter has the kind that its value looks like', () => {
  assert.is(guessParamField('a', 'true').kind, 'yes-no');
  assert.is(guessParamField('a', ' 12 ').kind, 'number');
  assert.is(guessParamField('a', '{"b":1}').kind, 'json');
  assert.is(guessParamField('a', '{b').kind, 'text');
  assert.is(guessParamField('a', '').kind, 'text');
});

test.run();

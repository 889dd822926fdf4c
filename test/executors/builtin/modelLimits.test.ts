import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ModelLimits } from '../../../src/executors/builtin/modelLimits.ts';

const test = suite('builtin: what refusals have said of a model');

const SET = { contextWindow: 200_000, maxOutputTokens: 16_000 };
const openLimits = () => new ModelLimits().findLimits('http://127.0.0.1:1/v1', 'm');

test('what is set is used where nothing was refused', () => {
  const limits = openLimits();
  assert.equal([limits.window(SET), limits.output(SET)], [200_000, 16_000]);
  assert.is(limits.output({ ...SET, maxOutputTokens: 64_000 }), 64_000);
});

test('an answer that is set to more than half of the window gets a quarter of it', () => {
  assert.is(openLimits().output({ ...SET, contextWindow: 8_192 }), 2_048);
});

test('a window that a refusal names is used for all who ask the model, and leaves a quarter to the answer', () => {
  const all = new ModelLimits();
  assert.ok(all.findLimits('a', 'm').learnWindow(32_768, SET));
  assert.equal(
    [all.findLimits('a', 'm').window(SET), all.findLimits('a', 'm').output(SET)],
    [32_768, 8_192],
  );
  assert.equal(
    [all.findLimits('a', 'n').window(SET), all.findLimits('b', 'm').window(SET)],
    [200_000, 200_000],
  );
});

test('what is no smaller than what is known, and an answer that is too short, teach nothing', () => {
  const limits = openLimits();
  assert.not.ok(limits.learnWindow(200_000, SET));
  assert.not.ok(limits.learnOutput(16_000, SET));
  assert.not.ok(limits.learnOutput(16, SET));
  assert.equal([limits.window(SET), limits.output(SET)], [200_000, 16_000]);
});

test('what was learned is forgotten where a person is asked to repair it', () => {
  const limits = openLimits();
  limits.learnWindow(8_192, SET);
  limits.learnOutput(1_024, SET);
  limits.forget();
  assert.equal([limits.window(SET), limits.output(SET)], [200_000, 16_000]);
});

test.run();

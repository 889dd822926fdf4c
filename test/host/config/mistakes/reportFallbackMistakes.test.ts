import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Config } from '../../../../src/host/config/configSchema.ts';
import { reportFallbackMistakes } from '../../../../src/host/config/mistakes/findCrossKeyMistakes.ts';

const test = suite('fallbacks of model aliases');

const mistakes = (aliases: Config['llm']['aliases']): string[] => {
  const messages: string[] = [];
  const llm = { defaultProvider: 'claude', aliases };
  reportFallbackMistakes({ llm } as Config, (path, message) =>
    messages.push(`${path.join('.')}: ${message}`),
  );
  return messages;
};
const alias = (provider: string, fallback?: string) => ({
  provider,
  model: 'm',
  ...(fallback === undefined ? {} : { fallback }),
});
const AT = 'llm.aliases.coding.fallback';

test('another alias with another provider is none', () => {
  assert.equal(mistakes({ coding: alias('claude', 'spare'), spare: alias('builtin') }), []);
});

test('two may share one', () => {
  const spare = alias('builtin');
  assert.equal(
    mistakes({ coding: alias('claude', 'spare'), planning: alias('claude', 'spare'), spare }),
    [],
  );
});

test('the alias itself', () => {
  assert.equal(mistakes({ coding: alias('claude', 'coding') }), [
    `${AT}: ${AT} is the alias itself. Use another alias, or remove the key.`,
  ]);
});

test('one that is not there', () => {
  assert.equal(mistakes({ coding: alias('claude', 'spar'), spare: alias('builtin') }), [
    `${AT}: ${AT} is "spar", but llm.aliases has no such alias. Add it, or name one of spare.`,
  ]);
});

test('one with the same provider, left out as the default too', () => {
  assert.equal(mistakes({ coding: { model: 'm', fallback: 'spare' }, spare: alias('claude') }), [
    `${AT}: ${AT} is "spare", which has the same provider claude. Name an alias with another provider.`,
  ]);
});

test('a cycle is said of each alias in it', () => {
  const messages = mistakes({
    coding: alias('claude', 'spare'),
    spare: alias('builtin', 'third'),
    third: alias('acp:gemini', 'coding'),
  });
  assert.equal(
    messages.map((one) => one.split(': ')[1]?.split('. ')[0]),
    ['coding', 'spare', 'third'].map(
      (name) => `llm.aliases.${name}.fallback leads back to ${name}`,
    ),
  );
});

test('an alias that only leads into a cycle is not one of it', () => {
  assert.is(
    mistakes({
      first: alias('acp:gemini', 'coding'),
      coding: alias('claude', 'spare'),
      spare: alias('builtin', 'coding'),
    }).length,
    2,
  );
});

test.run();

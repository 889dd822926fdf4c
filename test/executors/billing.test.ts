import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createAcpExecutor } from '../../src/executors/acp/createAcpExecutor.ts';
import { createBuiltinExecutor } from '../../src/executors/builtin/createBuiltinExecutor.ts';
import { readBuiltinSettings } from '../../src/executors/builtin/settings.ts';
import { createClaudeExecutor } from '../../src/executors/claude/createClaudeExecutor.ts';
import { systemClock } from '../../src/base/time/clock.ts';

const test = suite('executors: how calls of their models are paid for');

type Config = Readonly<Record<string, string>>;

const need = (provider: string, model: string | null = null) => ({
  llm: { provider, model, reasoningEffort: null },
  command: null,
});
const clock = systemClock;
const acp = (provider: string, config: Config) =>
  createAcpExecutor({ clock, config }).billing?.(need(provider));

test('builtin: by its key, at its endpoint', () => {
  const settings = readBuiltinSettings({ apiKey: 'k', model: 'large' });
  assert.equal(createBuiltinExecutor({ clock, settings }).billing?.(need('builtin')), {
    endpoint: 'https://api.anthropic.com/v1',
    vendor: null,
    paidBy: 'key',
    model: 'large',
  });
});

test('builtin without a key: not known', () => {
  const settings = readBuiltinSettings({ baseUrl: 'http://127.0.0.1:11434', model: 'large' });
  assert.is(
    createBuiltinExecutor({ clock, settings }).billing?.(need('builtin'))?.paidBy,
    'unknown',
  );
});

test('the model of the phase comes before that of the settings', () => {
  const settings = readBuiltinSettings({ apiKey: 'k', model: 'large' });
  const billing = createBuiltinExecutor({ clock, settings }).billing?.(need('builtin', 'small'));
  assert.is(billing?.model, 'small');
});

test('claude: by its key, and without one by the login of the program', () => {
  const paidBy = (config: Config) =>
    createClaudeExecutor({ clock, config }).billing?.(need('claude'))?.paidBy;
  assert.is(paidBy({ apiKey: 'k' }), 'key');
  assert.is(paidBy({}), 'subscription');
});

test('Gemini CLI, codex and claude-agent-acp without a key: by the login of the program', () => {
  for (const preset of ['gemini', 'codex', 'claude-agent-acp'])
    assert.is(acp(`acp:${preset}`, {})?.paidBy, 'subscription', preset);
});

test('with a key of their own: by that key', () => {
  assert.is(acp('acp:gemini', { geminiApiKey: 'k' })?.paidBy, 'key');
  assert.is(acp('acp:codex', { codexApiKey: 'k' })?.paidBy, 'key');
  assert.is(acp('acp:claude-agent-acp', { claudeAgentApiKey: 'k' })?.paidBy, 'key');
});

test('opencode: the vendor that it is set to, or its endpoint', () => {
  const set = { preset: 'opencode', opencodeProvider: 'xai', opencodeApiKey: 'k' };
  assert.is(acp('acp', set)?.vendor, 'x-ai');
  const own = { opencodeBaseUrl: 'http://127.0.0.1:1/v1', opencodeModel: 'm' };
  assert.equal(acp('acp:opencode', own), {
    endpoint: 'http://127.0.0.1:1/v1',
    vendor: null,
    paidBy: 'unknown',
    model: 'm',
  });
});

test('an agent of which nothing is known: not known', () => {
  assert.is(acp('acp:custom', {})?.paidBy, 'unknown');
  assert.is(acp('acp:nothing', {})?.paidBy, 'unknown');
});

test.run();

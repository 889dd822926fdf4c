import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fillConfigDefaults } from '../../../src/host/config/mistakes/checkConfig.ts';
import { resolveDecisionSettings } from '../../../src/host/config/settings/resolveDecisionSettings.ts';
import {
  resolveRatingTerms,
  explainMissingKey,
  resolveSiteMode,
} from '../../../src/policy/decisions/decisionTerms.ts';
import type { DecisionSettings } from '../../../src/contract/schema/runner/settings.ts';
import { CAMPAIGN_WORKFLOW, JOB_WORKFLOW } from '../../support/charts/jobSteps.ts';

const test = suite('when the decision layer is on');

const DEFAULTS = resolveDecisionSettings(fillConfigDefaults({}).decision, {});
const ON: DecisionSettings = { ...DEFAULTS, mode: 'shadow', apiKey: 'k' };
const A_JOB = { params: {}, workflow: JOB_WORKFLOW };
const PARENT = { params: {}, workflow: CAMPAIGN_WORKFLOW };
const CHILD = { params: { parentJobId: 'shop-job-1' }, workflow: JOB_WORKFLOW };
const overseer = (changes: Partial<DecisionSettings['overseer']>): DecisionSettings => ({
  ...ON,
  overseer: { ...ON.overseer, ...changes },
});

for (const [what, settings, job, mode] of [
  ['nothing is configured', DEFAULTS, A_JOB, null],
  ['a mode without a key', { ...ON, apiKey: '' }, A_JOB, null],
  ['a key without a mode', { ...ON, mode: 'off' }, A_JOB, null],
  ['a mode and a key (OVR-1)', ON, A_JOB, 'shadow'],
  ['Manage', { ...ON, mode: 'live' }, A_JOB, 'live'],
  ['rules, which need no key', { ...ON, provider: 'rules', apiKey: '' }, A_JOB, 'shadow'],
  [
    'a model on this machine, which needs no key',
    { ...ON, provider: 'model', apiKey: '', baseUrl: 'http://127.0.0.1:11434' },
    A_JOB,
    'shadow',
  ],
  [
    'a model elsewhere without a key',
    { ...ON, provider: 'model', apiKey: '', baseUrl: 'https://models.example.org' },
    A_JOB,
    null,
  ],
  [
    'the default provider on this machine without a key',
    { ...ON, apiKey: '', baseUrl: 'http://127.0.0.1:8080' },
    A_JOB,
    null,
  ],
  ['the site is off', { ...ON, sites: { overseer: 'off' } }, A_JOB, null],
  ['the site has a mode of its own', { ...ON, sites: { overseer: 'live' } }, A_JOB, 'live'],
  [
    'the layer is off, whatever the site says',
    { ...ON, mode: 'off', sites: { overseer: 'live' } },
    A_JOB,
    null,
  ],
  ['scope off (OVR-2)', overseer({ scope: 'off' }), A_JOB, null],
  ['scope campaigns, a job alone', overseer({ scope: 'campaigns' }), A_JOB, null],
  ['scope campaigns, a parent', overseer({ scope: 'campaigns' }), PARENT, 'shadow'],
  ['scope campaigns, a sub-run', overseer({ scope: 'campaigns' }), CHILD, 'shadow'],
] as const) {
  test(`${what}: ${mode ?? 'off'}`, () => {
    assert.is(resolveRatingTerms(settings, job)?.mode ?? null, mode);
  });
}

test('another site has its own mode', () => {
  assert.is(resolveSiteMode({ ...ON, sites: { lane: 'live' } }, 'lane'), 'live');
});

test('another site inherits the mode of the layer', () => {
  assert.is(resolveSiteMode(ON, 'wake-gate'), 'shadow');
});

test('the environment gives the key where the file has none', () => {
  const environment = { 'decision.apiKey': { value: 'from-env', variable: 'LEGACY_API_KEY' } };
  assert.is(
    resolveDecisionSettings(fillConfigDefaults({}).decision, environment).apiKey,
    'from-env',
  );
});

test('the key of the file comes before that of the environment', () => {
  const environment = { 'decision.apiKey': { value: 'from-env', variable: 'LEGACY_API_KEY' } };
  const { decision } = fillConfigDefaults({ decision: { apiKey: 'from-file' } });
  assert.is(resolveDecisionSettings(decision, environment).apiKey, 'from-file');
});

test('the pinned model is decider-1.13.0 where none is configured (OVR-1)', () => {
  assert.is(DEFAULTS.model, 'decider-1.13.0');
});

test('a mode without a key is named, with what to set (OVR-1)', () => {
  assert.match(
    explainMissingKey({ ...ON, apiKey: '' }) ?? '',
    /^decision\.mode is shadow, but no key is set: .*SVC_DECISION_API_KEY$/,
  );
});

test('a layer that is on, off or needs no key misses none (OVR-1)', () => {
  for (const settings of [ON, DEFAULTS, { ...ON, provider: 'rules', apiKey: '' }])
    assert.is(explainMissingKey(settings), null);
});

test.run();

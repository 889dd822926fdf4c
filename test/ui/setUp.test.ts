import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  isFirstStart,
  findNextSetUpStep,
  pickOfferedChoice,
  pickShownStep,
} from '../../ui/setup/setUpSteps.ts';
import { A_SET_UP } from '../support/http/fakeSetUp.ts';

const test = suite('ui: the setup wizard');

const [scm] = A_SET_UP.steps;
const steps = scm
  ? [
      { ...scm, step: 'llm' as const, state: 'saved' as const },
      scm,
      { ...scm, step: 'tracker' as const },
    ]
  : [];

test('the wizard comes first on a home where nothing is set up, and until it is finished (UI-6)', () => {
  assert.is(isFirstStart({}), true);
  assert.is(isFirstStart({ plugins: { installed: { builtin: {} } } }), true);
  assert.is(isFirstStart({ forges: { local: { repos: { shop: '/srv/shop' } } } }), false);
  assert.is(isFirstStart({ plugins: { installed: { github: {} } } }), false);
  assert.is(isFirstStart({ setup: { completedAt: '2026-01-01T00:00:00.000Z' } }), false);
  const config = { setup: { skipped: ['tracker'] }, plugins: { installed: { github: {} } } };
  assert.is(isFirstStart(config), true);
});

test('the step of the address is shown, else the first that is open (UI-6)', () => {
  assert.is(pickShownStep({ steps }, undefined), 'scm');
  assert.is(pickShownStep({ steps }, 'llm'), 'llm');
  assert.is(pickShownStep({ steps }, 'first-job'), 'first-job');
  assert.is(pickShownStep({ steps }, 'nowhere'), 'scm');
  assert.is(pickShownStep({ steps: steps.slice(0, 1) }, undefined), 'first-job');
});

test('each step leads to the next, the last to the first job (UI-6)', () => {
  assert.is(findNextSetUpStep({ steps }, 'llm'), 'scm');
  assert.is(findNextSetUpStep({ steps }, 'tracker'), 'first-job');
});

test('what is set up is offered first, else what was found (UI-6)', () => {
  const [choice] = scm?.choices ?? [];
  if (!choice) throw new Error('no choice');
  const tokenChoice = { ...choice, id: 'gitlab', found: 'a token' };
  assert.is(pickOfferedChoice({ choices: [choice, tokenChoice] })?.id, 'gitlab');
  assert.is(pickOfferedChoice({ choices: [choice] })?.id, 'github');
  const present = { ...choice, id: 'bitbucket', current: true };
  assert.is(pickOfferedChoice({ choices: [choice, tokenChoice, present] })?.id, 'bitbucket');
});

test.run();

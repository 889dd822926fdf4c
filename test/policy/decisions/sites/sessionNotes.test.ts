import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fillConfigDefaults } from '../../../../src/host/config/mistakes/checkConfig.ts';
import { resolveDecisionSettings } from '../../../../src/host/config/settings/resolveDecisionSettings.ts';
import type {
  DecidesQuestions,
  DecisionQuestion,
} from '../../../../src/contract/policy/decider.ts';
import { openStore } from '../../../../src/jobs/store/openStore.ts';
import {
  createSessionNotes,
  type NotedSession,
} from '../../../../src/policy/decisions/sites/sessionNotes.ts';
import type { RowChange } from '../../../../src/contract/records/changes.ts';
import type { DecisionSettings } from '../../../../src/contract/schema/runner/settings.ts';
import { phase, SteppedJob } from '../../../support/charts/jobSteps.ts';
import { SimulatedClock } from '../../../support/charts/simulatedClock.ts';

const test = suite('notes of the decision layer before a session');

const LIVE: DecisionSettings = {
  ...resolveDecisionSettings(fillConfigDefaults({}).decision, {}),
  mode: 'live',
  apiKey: 'k',
};
const LANES = [{ id: 'campaign', text: 'For large changes.' }];

const ANSWERS: Readonly<Record<string, object>> = {
  lane: { belongs: { probability: 0.2 }, better: { choice: 'campaign' } },
  'review-lens': { focus: { points: ['the retry in src/send.ts', 'a line\nof two'] } },
};
const advising: DecidesQuestions = {
  decide: async ({ id, model, site }) => ({ id, model, answers: { ...ANSWERS[site] } }),
};

async function playNotedSession(
  changes: Partial<DecisionSettings> = {},
  session: Partial<NotedSession> = {},
  decider = advising,
) {
  const { rows, frames } = openStore({ file: ':memory:', pid: 1, now: 0 });
  const job = new SteppedJob().reach('evaluation');
  const written: RowChange[] = [];
  const questions: DecisionQuestion[] = [];
  const notes = await createSessionNotes({
    settings: { decision: { ...LIVE, ...changes } },
    clock: new SimulatedClock(),
    rows,
    frames,
    screen: (text) => text,
    decider: () => ({
      decide(question, signal) {
        questions.push(question);
        return decider.decide(question, signal);
      },
    }),
    usageRows: () => [],
    readState: () => job.state,
    description: () => 'Add a greeting.',
    readLastFrame: () => 0,
    async writeRows(all) {
      written.push(...all);
    },
  })({
    jobId: 'job-1',
    visit: 4,
    session: 1,
    phase: phase('evaluation'),
    lanes: LANES,
    attempt: 1,
    signal: new AbortController().signal,
    ...session,
  });
  return { ...notes, asked: questions.map(({ site }) => site), written };
}

test('off: nothing is asked, nothing said', async () => {
  const { asked, note, lines } = await playNotedSession({ mode: 'off' });
  assert.equal([asked, note, lines], [[], null, []]);
});

test('a review gets one note of each (OVR-7)', async () => {
  const { note } = await playNotedSession();
  assert.is(note?.split('[process note]').length, 3);
});

test('a workflow that may fit better is named', async () => {
  assert.match((await playNotedSession()).note ?? '', /campaign may fit better/);
});

test('what a provider writes is quoted, line by line', async () => {
  assert.match(
    (await playNotedSession()).note ?? '',
    /\n> the retry in src\/send\.ts\n> a line of two$/,
  );
});

test('another phase is not asked what to look at', async () => {
  assert.equal((await playNotedSession({}, { phase: phase('coding') })).asked, ['lane']);
});

test('the first visit has nothing to look back on', async () => {
  assert.equal((await playNotedSession({}, { visit: 1 })).asked, []);
});

test('a later session of a visit is not asked about', async () => {
  assert.equal((await playNotedSession({}, { session: 2 })).asked, []);
});

test('a restart asks again once, a further one does not', async () => {
  const countAsked = async (attempt: number) =>
    (await playNotedSession({}, { attempt })).asked.length;
  assert.equal([await countAsked(2), await countAsked(3)], [2, 0]);
});

test('shadow: recorded, and no note for the agent', async () => {
  const { note, written } = await playNotedSession({ mode: 'shadow' });
  assert.equal([note, written.length], [null, 2]);
});

for (const [what, answers] of [
  ['a workflow that was not offered', { belongs: { probability: 0 }, better: { choice: 'x' } }],
  ['a probability above 1', { belongs: { probability: 2 }, better: { choice: 'none' } }],
] as const)
  test(`${what} is no answer: as if off (OVR-3)`, async () => {
    const decider = { decide: async ({ id, model }: DecisionQuestion) => ({ id, model, answers }) };
    assert.is((await playNotedSession({}, { phase: phase('coding') }, decider)).note, null);
  });

test('more than five points are no answer', async () => {
  const answers = { focus: { points: Array.from({ length: 6 }, () => 'x') } };
  const decider = { decide: async ({ id, model }: DecisionQuestion) => ({ id, model, answers }) };
  assert.is((await playNotedSession({ sites: { lane: 'off' } }, {}, decider)).note, null);
});

test('why there is no answer is in the log', async () => {
  const decider = { decide: async () => Promise.reject(new Error('503')) };
  assert.equal((await playNotedSession({ sites: { lane: 'off' } }, {}, decider)).lines, [
    { tag: 'review-lens', line: 'no answer: 503.' },
  ]);
});

test.run();

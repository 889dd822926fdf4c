import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/base/time/clock.ts';
import { askDecider } from '../../../src/policy/decisions/askDecider.ts';
import { createWireDecider } from '../../../src/policy/decisions/deciders/wireDecider.ts';
import { SteppedJob } from '../../support/charts/jobSteps.ts';
import { MANAGE } from '../../support/charts/ratings.ts';
import { aQuestion } from '../../support/decisions/aQuestion.ts';
import { BEHAVIOURS, openDecisionServer } from '../../support/decisions/decisionServer.ts';

const test = suite('what a provider does to the outcome of a job');

const options = {
  clock: systemClock,
  screen: (text: string) => text,
  signal: new AbortController().signal,
};

/** Where a job stands after testing; `outcome`: what came of its rating, left out = not rated. */
function standing(outcome?: Awaited<ReturnType<typeof askDecider<'overseer'>>>) {
  const job = new SteppedJob();
  job.run().reach('testing');
  if (outcome === undefined) job.end();
  else {
    job.end('end_turn', null, { judge: MANAGE });
    const { ms: _ms, ...rest } = outcome;
    job.judge(rest);
  }
  const { phase, status, visit } = job.context;
  // What follows the session is prepared for one of them already.
  const [top] = job.at.split('.');
  return { top, phase, status, visit };
}

const plain = standing();

for (const [name, behave] of Object.entries(BEHAVIOURS))
  test(`a provider that ${name}: the job stands where it would without (OVR-3)`, async () => {
    await using server = await openDecisionServer(behave);
    const decider = createWireDecider({ baseUrl: server.url, apiKey: 'k' });
    const deadlineMs = name === 'hangs' ? 50 : 20_000;
    assert.equal(standing(await askDecider(decider, { ...aQuestion, deadlineMs }, options)), plain);
  });

test('only a proper answer below the threshold pauses it (OVR-5)', () => {
  const answers = {
    requirement: { choice: 'none', confidence: 1 },
    goal: { probability: 0.25 },
    seriousness: { score: 0 },
    stuck: { probability: 0 },
  };
  assert.is(standing({ answers, ms: 1 }).top, 'parked');
});

test.run();

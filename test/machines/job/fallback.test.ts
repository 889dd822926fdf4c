import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { phase, SteppedJob, workflow } from '../../support/charts/jobSteps.ts';

const test = suite('job: a model in the place of another');

const FALLBACK = { from: 'coding', to: 'spare', pool: 'pool:anthropic:https://api.example:none' };

const beginSession = () => {
  const job = new SteppedJob(
    workflow([
      phase('first', { model: 'coding' }),
      phase('second', { model: 'coding' }),
      phase('third', { model: 'planning' }),
      phase('fourth', { model: 'coding', provider: 'claude' }),
    ]),
  );
  job.send({ type: 'slot.granted', fallback: FALLBACK });
  return job.run();
};
const getModel = (job: SteppedJob) => Object(job.effect('session.open')).phase.model;

test('the session is opened with the fallback of the grant', () => {
  assert.is(getModel(beginSession()), 'spare');
});

test('the phases after it in the same slot keep it', () => {
  assert.is(getModel(beginSession().end()), 'spare');
});

test('a phase with another alias keeps its own', () => {
  assert.is(getModel(beginSession().end().end()), 'planning');
});

test('a phase that pins its provider keeps its own', () => {
  assert.is(getModel(beginSession().end().end().end()), 'coding');
});

test('a visit that waits for the quota of the fallback continues with it', () => {
  const job = beginSession().end('quota');
  assert.is(job.at, 'parked.quota');
  job.send({ type: 'quota.reset' });
  job.slot();
  assert.is(getModel(job.run()), 'spare');
});

test('the next grant of a visit asks again', () => {
  const job = beginSession();
  job.pause();
  job.end('interrupted');
  job.rerun('first');
  job.slot();
  assert.is(job.context.fallback, undefined);
});

test('the log says it', () => {
  const text = JSON.stringify(beginSession().frames);
  assert.match(text, 'model spare in the place of coding');
});

test.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { copyJobContext } from '../../../machines/job/copyJobContext.ts';
import { SteppedJob } from '../../support/charts/jobSteps.ts';

const test = suite('job chart: the shape of its context');

test('the fields of a context come in the same order in every state of a job', () => {
  const job = new SteppedJob();
  const orders = new Set<string>();
  for (let steps = 0; !job.at.startsWith('ended') && steps < 50; steps++) {
    job.run();
    orders.add(Object.keys(job.context).join());
    if (job.at === 'parked.approval') job.approve();
    else if (job.at.startsWith('parked')) job.message();
    else job.end();
  }
  assert.equal([...orders], [Object.keys(copyJobContext(job.context)).join()]);
});

test('a copy is a new object with the same values', () => {
  const { context } = new SteppedJob().run();
  const copy = copyJobContext(context);
  assert.is.not(copy, context);
  assert.equal(copy, context);
});

test.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listLeafPaths } from '../../src/base/json/listLeafPaths.ts';
import { DurableJob } from '../support/charts/durableJob.ts';
import { shortestPaths } from '../support/charts/jobPaths.ts';
import { inLongLane } from '../support/longLane.ts';

const test = suite('shortest paths of the job through kernel, store and ports');

/** Of the paths with no transition of their own, the tests play so many; `--all`: each. */
const EVERY = process.argv.includes('--all') ? 1 : inLongLane ? 15 : 40;

type Path = ReturnType<typeof shortestPaths>[number];

/** Every transition of a path: from where by which event to where. */
const listTransitions = ({ steps }: Path): string[] => {
  const places = steps.map(({ state }) => listLeafPaths(state.value).join(' & '));
  return steps.slice(1).map(({ event }, n) => `${places[n]} ${event.type} ${places[n + 1]}`);
};

/** Those with a transition that none before has, and a part of the others. */
function samplePaths(paths: readonly Path[]): Path[] {
  const seenTransitions = new Set<string>();
  return paths.filter((path, number) => {
    const transitions = listTransitions(path);
    const isNew = transitions.some((transition) => !seenTransitions.has(transition));
    for (const transition of transitions) seenTransitions.add(transition);
    return isNew || number % EVERY === 0;
  });
}

test('a path ends in the kernel where it ends in the chart, also when the process dies on the way (JOB-3 RUN-4)', async () => {
  const paths = samplePaths(shortestPaths());
  assert.ok(paths.length > (inLongLane ? 150 : 90), `${paths.length} paths`);
  let events = 0;
  for (const [number, { input, steps }] of paths.entries()) {
    const name = `path ${number}`;
    const job = await DurableJob.start(input, name);
    for (const [index, { event, state }] of steps.entries()) {
      if (index === 0) continue; // the start
      const { at: _stampedByTheKernel, ...plainEvent } = event;
      // Each path dies once, each of them somewhere else; afterwards the event is sent as if
      // nothing had been.
      if (index === number % steps.length) await job.sendAndDie(plainEvent, 'before the commit');
      await job.send(plainEvent);
      events += 1;
      assert.equal(job.at, listLeafPaths(state.value).join(' & '), `${name}, after ${event.type}`);
      assert.is(job.context.phase, state.context.phase, name);
    }
    job.close();
  }
  assert.ok(events > 700, `${events} events`);
});

test.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { JobPlaces, REMEMBERED_MS } from '../../../src/cloud/jobs/proxy/jobPlaces.ts';

const test = suite('cloud: which runner has a job');

function openPlaces() {
  let now = 0;
  const places = new JobPlaces({ now: () => now, at: () => () => undefined });
  let looks = 0;
  const find = (teamId: string, jobId = 'job') =>
    places.find(teamId, jobId, async () => {
      looks += 1;
      return { id: `${teamId}-${looks}`, name: 'mac' };
    });
  const pass = (ms: number) => {
    now += ms;
  };
  return { places, find, pass, countLooks: () => looks };
}

test('it is looked up once for the requests of a page, and again when a second has passed', async () => {
  const { find, pass, countLooks } = openPlaces();
  assert.is((await find('a')).id, 'a-1');
  pass(REMEMBERED_MS - 1);
  assert.is((await find('a')).id, 'a-1');
  pass(1);
  assert.is((await find('a')).id, 'a-2');
  assert.is(countLooks(), 2);
});

test('a job of the same name in another team is another one', async () => {
  const { find } = openPlaces();
  assert.is((await find('a')).id, 'a-1');
  assert.is((await find('b')).id, 'b-2');
});

test('a look that fails is not remembered', async () => {
  const { places, find } = openPlaces();
  const fail = () => Promise.reject(new Error('not found'));
  assert.is(await places.find('a', 'job', fail).catch(() => 'failed'), 'failed');
  assert.is((await find('a')).id, 'a-1');
});

test.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { simulateMonth } from './month.ts';
import { PARTS } from './sizes.ts';

const test = suite('days of a runner that clears up after itself');

// `npm run sim -- --month 28` plays a month of 50 jobs a day, and one without retention.
test('from the third day on the home has what two days leave; no work is lost; a log that is gone has a notice in its place', async () => {
  const { days, completed, leftWork, found, problems, firstLog } = await simulateMonth({
    days: 4,
    jobsPerDay: 2,
    rules: { checkouts: 1, logs: 1, archives: 2, artefacts: 2, mirrors: 2 },
  });
  assert.equal([completed, leftWork, found], [8, 4, 4]);
  assert.equal(problems, []);
  assert.match(firstLog, /was removed by retention at \d{4}-/);
  const [third, last] = [days[2], days[3]];
  for (const part of PARTS.filter((one) => one !== 'state' && one !== 'all'))
    assert.ok(
      Number(last?.[part]) <= Number(third?.[part]) * 1.1,
      `${part}: ${days.map((day) => day[part]).join(' ')}`,
    );
});

test.run();

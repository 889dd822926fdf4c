import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { killLoop } from '../support/crash/killLoop.ts';

const test = suite('kill loop');

test('killed at random moments under load, the runner loses nothing, doubles nothing and fails no job (RUN-4)', async () => {
  const seed = Number(process.env['KILL_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
  const { summary, problems } = await killLoop({ rounds: 10, seed });
  console.log(`\nnote: ${JSON.stringify(summary)}`);
  assert.equal(problems, [], `again with KILL_SEED=${seed}`);
  assert.ok(summary.commands.acknowledged >= 10, 'there was a load');
  assert.is(summary.kills.starting + summary.kills.running, 10);
});

test('when one of the people fails, the loop ends at once with that error, and none keeps asking a dead runner', async () => {
  const others = [
    async () => {
      throw new Error('the ink is dry');
    },
  ];
  const rounds: string[] = [];
  const outcome = await killLoop({
    rounds: 200,
    seed: 1,
    others,
    onRound: (line) => rounds.push(line),
  }).then(
    () => 'it continued',
    (error: Error) => error.message,
  );
  assert.equal(outcome, 'the ink is dry');
  assert.equal(rounds, []);
});

test.run();

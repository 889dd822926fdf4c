import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import { startTeamNode } from '../../support/cloud/testTeam.ts';
import { addWebhook } from '../../support/cloud/webhookTeam.ts';

const test = suite('cloud: what the time of a refusal tells a sender');
const dbTest = defineDatabaseTests(test);

const ROUNDS = 1_000;
/** How much of the median two kinds of refusal may be apart. */
const SHARE = 0.1;
const PLACES = ['acme/github', 'unknown/github', 'acme/gitlab'] as const;

const toMedian = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

dbTest(
  'a wrong signature, an unknown team and an unknown sender are refused in the same bytes and time',
  async () => {
    const node = await startTeamNode();
    await addWebhook(node, 'github');
    const times = new Map<string, number[]>(PLACES.map((place) => [place, []]));
    const bodies = new Set<string>();
    const headers = new Set<string>();
    const send = async (place: string): Promise<number> => {
      const started = performance.now();
      const reply = await node.ask(`/webhook/${place}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-hub-signature-256': `sha256=${'0'.repeat(64)}`,
          'x-gitlab-token': 'wrong',
        },
        body: '{"zen":"Keep it logically awesome."}',
      });
      bodies.add(`${reply.status} ${await reply.text()}`);
      headers.add([...reply.headers.keys()].sort().join(' '));
      return performance.now() - started;
    };
    // By turns: what else the machine does disturbs all of them alike.
    for (let round = -50; round < ROUNDS; round += 1)
      for (let turn = 0; turn < PLACES.length; turn += 1) {
        const place = PLACES[(turn + Math.abs(round)) % PLACES.length] ?? PLACES[0];
        const ms = await send(place);
        if (round >= 0) times.get(place)?.push(ms);
      }
    await node.stop();
    assert.is(bodies.size, 1, [...bodies].join('\n'));
    assert.is(headers.size, 1, 'the same headers');
    const medians = [...times.values()].map(toMedian);
    console.log(`medians, ms: ${medians.map((ms) => ms.toFixed(3)).join(', ')}`);
    const apart = (Math.max(...medians) - Math.min(...medians)) / Math.min(...medians);
    assert.ok(apart <= SHARE, `${(100 * apart).toFixed(1)} % apart`);
  },
);

test.run();

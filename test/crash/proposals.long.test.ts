import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Story } from '../support/story.ts';

const test = suite('crashes: a proposal is applied');

/** How many of the points are played, spread over all; 16 or more = all. */
const POINTS = Number(process.env.SVC_PROPOSAL_CRASHES ?? 2);
/** Proposals that wait: one for each point, and one for the run without a crash. */
const PROPOSALS = Math.min(POINTS, 16) + 1;

const PROPOSES = `
for (let n = 0; n < ${PROPOSALS}; n++)
  tool('propose_change', {
    kind: 'memory',
    description: 'Number ' + n + '.',
    files: ['a', 'b'].map((name) => ({ path: 'memory/' + n + name + '.md', text: name + n })),
  });
`;

const story = new Story({
  workflow: `initial_phase: work
phases:
  - { name: work, agent: agents/proposes.md, status: working }`,
  programs: { proposes: PROPOSES },
});
test.after(() => story.end());

const texts = (n: number): (string | null)[] =>
  ['a', 'b'].map((name) => {
    const file = join(story.dir, 'tenant', 'memory', `${n}${name}.md`);
    return existsSync(file) ? readFileSync(file, 'utf8') : null;
  });

/** Applies the n-th in a runner that dies at this point, and starts it again. */
async function applyProposal(
  n: number,
  id: string,
  dieAt: string,
  countFile = '',
): Promise<string> {
  await story.runner.start({ SVC_FAULT_POINT: dieAt, SVC_FAULT_COUNT: countFile });
  const first = await story.client.applyProposal(id).catch(() => null);
  if (first !== null) assert.is(dieAt, '', `${dieAt} was not reached`);
  else {
    await story.runner.kill();
    await story.runner.start();
  }
  const { state } = await story.client.proposal(id);
  if (state === 'approved') await story.client.applyProposal(id);
  await story.settled(async () => (await story.client.proposal(id)).state !== 'applying');
  assert.equal(texts(n), [`a${n}`, `b${n}`], dieAt);
  const end = (await story.client.proposal(id)).state;
  await story.runner.kill();
  return end;
}

test('killed at each point, all of its files are written, once it is said to be applied (INT-8)', async () => {
  await story.runner.start();
  const job = await story.job();
  await story.until(job, ({ ended }) => ended);
  const open = { state: 'open', limit: PROPOSALS } as const;
  await story.settled(async () => (await story.client.proposals(open)).total === PROPOSALS);
  const { proposals } = await story.client.proposals(open);
  const ids = proposals.toReversed().map(({ id }) => id);
  assert.is(ids.length, PROPOSALS);
  for (const { id, hash } of proposals) await story.client.approveProposal(id, { hash });
  await story.runner.kill();

  const countFile = join(story.dir, 'points');
  assert.is(await applyProposal(0, ids[0] ?? '', '', countFile), 'applied');
  const points = readFileSync(countFile, 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((point) => /proposal|intelligence_versions/.test(point));
  assert.ok(points.length >= 8, points.join(' '));
  const every = Math.max(1, Math.floor(points.length / POINTS));
  const chosen = points.filter((_, at) => at % every === every - 1).slice(0, PROPOSALS - 1);
  for (const [at, point] of chosen.entries())
    assert.is(await applyProposal(at + 1, ids[at + 1] ?? '', point), 'applied', point);
});

test.run();

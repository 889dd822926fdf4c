import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RunnerRequests } from '../../../src/cloudLink/homes/runnerRequests.ts';
import { ProposalSync } from '../../../src/cloudLink/overlay/proposalSync.ts';
import type { SentProposalState } from '../../../src/contract/schema/cloud/teamOverlay.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { toProposalId, toSentProposal } from '../../support/cloud/teamProposals.ts';
import { openOwnServer, waitUntil } from '../../support/cloud/testTeam.ts';

const test = suite('proposals that a runner sends to its team');

const SENT = toSentProposal([{ path: 'memory/a.md', base: null, text: 'one\n' }]);
const [ONE, TWO] = [toProposalId('one'), toProposalId('two')] as const;

/** A control plane that keeps proposals, and a runner that has these. */
async function open(ids: readonly string[], refuse: (id: string) => number | null = () => null) {
  const kept = new Map<string, SentProposalState>();
  const server = await openOwnServer((req, res) => {
    const id = req.url?.split('/').at(-1) ?? '';
    const status = req.method === 'PUT' ? refuse(id) : null;
    if (req.method === 'PUT' && status === null)
      kept.set(id, { id, hash: SENT.hash, state: 'open', author: null, reason: null });
    const body = kept.get(id);
    const code = status === 422 ? 'workflow-invalid' : 'not-found';
    res.writeHead(status ?? (body ? 200 : 404), { 'content-type': 'application/json' });
    res.end(JSON.stringify(body ?? { code, detail: 'It says no.' }));
  });
  const followed: SentProposalState[] = [];
  const problems: string[] = [];
  const sync = new ProposalSync({
    proposals: {
      list: () => [...ids],
      read: () => SENT,
      follow: async (state) => void followed.push(state),
      noteProblem: async (id) => void problems.push(id),
    },
    requests: new RunnerRequests({
      url: server.url,
      readToken: () => 'svcr_x',
      version: '0.0.0-test',
      clock: systemClock,
      random: () => 0,
    }),
    clock: systemClock,
    log: { warn: () => undefined },
  });
  const puts = (id: string) =>
    server.requests.filter(({ method, url }) => method === 'PUT' && url.endsWith(id)).length;
  const end = async () => {
    sync.close();
    await server.close();
  };
  return { sync, kept, followed, problems, puts, end };
}

test('a proposal is sent again until the control plane has it, and then no more (CLD-3)', async () => {
  let remaining = 2;
  const it = await open([ONE], () => (remaining-- > 0 ? 503 : null));
  it.sync.wake();
  await waitUntil(() => it.kept.has(ONE));
  const putCount = it.puts(ONE);
  assert.is(putCount, 3);
  it.sync.lookAgain();
  await waitUntil(() => it.followed.length === 2);
  assert.is(it.puts(ONE), putCount);
  await it.end();
});

test('what the team decides is followed', async () => {
  const it = await open([ONE]);
  it.sync.wake();
  await waitUntil(() => it.followed.length === 1);
  it.kept.set(ONE, { id: ONE, hash: SENT.hash, state: 'rejected', author: 'ben', reason: 'No.' });
  it.sync.lookAgain();
  await waitUntil(() => it.followed.length === 2);
  assert.equal([it.followed[1]?.state, it.followed[1]?.reason], ['rejected', 'No.']);
  await it.end();
});

test('one that the control plane refuses for good is noted, and the others are sent', async () => {
  const it = await open([ONE, TWO], (id) => (id === ONE ? 422 : null));
  it.sync.wake();
  await waitUntil(() => it.kept.has(TWO) && it.problems.length === 1);
  assert.equal(it.problems, [ONE]);
  it.sync.wake();
  await waitUntil(() => it.followed.length >= 1);
  assert.is(it.puts(ONE), 1);
  await it.end();
});

test.run();

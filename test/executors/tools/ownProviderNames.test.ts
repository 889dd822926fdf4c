import { systemClock } from '../../../src/base/time/clock.ts';
import { neverAway } from '../../../src/base/concurrency/unlessAway.ts';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PhaseTools } from '../../../src/executors/tools/host/phaseTools.ts';
import {
  NO_PROVIDERS,
  type OwnProviders,
  expandOwnProviders,
} from '../../../src/executors/tools/catalogue/toolPatterns.ts';
import { FakeJobPort } from '../../support/http/fakeAgentJob.ts';
import { unscreened } from '../../support/standIns/unscreened.ts';

const test = suite('scm_<verb> and tracker_<verb> as names of tools');

const HUB: OwnProviders = { forge: 'minihub', tracker: null };

const openTools = (port: FakeJobPort, list: readonly string[] | null, own = HUB) =>
  new PhaseTools(
    port,
    ['local', 'minihub'],
    (where, error) => {
      throw new Error(where, { cause: error });
    },
    {
      clock: systemClock,
      awaySince: neverAway,
      screen: unscreened,
      allowed: expandOwnProviders(list, own),
      own,
    },
  );

test("a call of scm_<verb> is that verb of the job's own forge, where the list of the phase names it (TOOL-6)", async () => {
  const port = new FakeJobPort();
  const phase = openTools(port, ['scm_post_pr_comment']);
  await phase.call('scm_post_pr_comment', { number: 1, body: 'Done.' });
  assert.equal(
    port.writes.map(({ operation, forge }) => ({ operation, forge })),
    [{ operation: 'post_pr_comment', forge: 'minihub' }],
  );
});

test('both names of a tool count as the same call, so that a repeat gets the recorded answer', async () => {
  const writeAndReadKey = async (name: string) => {
    const port = new FakeJobPort();
    await openTools(port, null).call(name, { number: 1, body: 'Done.' });
    return port.writes[0]?.key;
  };
  assert.is(
    await writeAndReadKey('scm_post_pr_comment'),
    await writeAndReadKey('minihub_post_pr_comment'),
  );
});

test('a verb that the list does not name is refused with the tool that the name stands for', async () => {
  const { text } = await openTools(new FakeJobPort(), ['scm_get_pr_status']).call(
    'scm_approve_pr',
    {
      number: 1,
    },
  );
  assert.is(
    text,
    'This phase has no tool "scm_approve_pr". It stands for minihub_approve_pr here, which the list tools of the phase or of its agent does not allow. The tools are: escalate, log, minihub_get_pr_status.',
  );
});

test('a job without a forge or a tracker is refused with what it lacks', async () => {
  const phase = openTools(new FakeJobPort(), ['scm_create_pr', 'tracker_get_issue'], NO_PROVIDERS);
  assert.match(
    (await phase.call('scm_create_pr', {})).text,
    /It stands for create_pr of the job's own forge, and this job has no repository at a forge\./,
  );
  assert.match(
    (await phase.call('tracker_get_issue', {})).text,
    /It stands for get_issue of the job's own tracker, and this job has no ticket of a tracker\./,
  );
});

test('an agent is offered each tool once, by its own name', async () => {
  const phase = openTools(new FakeJobPort(), ['scm_create_pr']);
  assert.equal(
    (await phase.listOffered()).map(({ name }) => name),
    ['escalate', 'log', 'minihub_create_pr'],
  );
});

test.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  createPromoteInsight,
  type PromoteInsightDeps,
} from '../../../src/jobs/proposals/promoteInsight.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { aProposalSummary } from '../../support/http/aProposal.ts';
import { codeOfRefusal } from '../../support/refusal.ts';

const test = suite('proposals: an insight for the memory');

type Propose = PromoteInsightDeps['proposals']['propose'];
const INSIGHT = {
  job_id: 'job-1',
  id: 'a',
  at: 1,
  phase: 'testing',
  category: 'testing',
  text: 'Start Docker\nbefore the tests.',
};

/** `memory`: text of the file in the team's layer; `over`: ids of proposals that are decided. */
function stage(
  memory: string | null,
  { over = [], root = '/team' }: { over?: string[]; root?: string | null } = {},
) {
  const proposed: { id: string; draft: Parameters<Propose>[1]; jobId: string | null }[] = [];
  const { promoteInsight } = createPromoteInsight({
    rows: {
      one: ((table: string, { id }: { id: string }) => {
        if (table === 'insights') return id === 'a' ? INSIGHT : undefined;
        return over.includes(id) ? { id, state: 'rejected' } : undefined;
      }) as PromoteInsightDeps['rows']['one'],
    },
    textAt: async () => memory,
    tenantFolder: {
      checkTakesProposals() {
        if (root === null)
          throw new SvcError('not-possible-now', 'No tenant folder is configured.');
      },
    },
    proposals: {
      async propose(id, draft, { jobId }) {
        proposed.push({ id, draft, jobId });
        return aProposalSummary();
      },
    },
    readState: () => undefined,
  });
  return { promoteInsight, proposed, over };
}

const promoteAndReadText = async (memory: string | null, body = {}) => {
  const { promoteInsight, proposed } = stage(memory);
  await promoteInsight('job-1', 'a', body, { by: 'token' });
  return proposed[0]?.draft.files[0]?.text;
};

test('it becomes an item of a list in memory/insights.md (INT-11)', async () => {
  assert.is(await promoteAndReadText(null), '# Insights\n\n- Start Docker\n  before the tests.\n');
});

test('it follows the items that exist, and begins a list after other text', async () => {
  assert.is(await promoteAndReadText('# I\n\n- One\n', { text: 'Two' }), '# I\n\n- One\n- Two\n');
  assert.is(
    await promoteAndReadText('# I\n\nSome text.', { text: 'Two' }),
    '# I\n\nSome text.\n\n- Two\n',
  );
});

test('the proposal is that of a person, says where it comes from and quotes it', async () => {
  const { promoteInsight, proposed } = stage(null);
  await promoteInsight('job-1', 'a', { path: 'memory/testing.md' }, { by: 'token' });
  const [{ draft, jobId } = {} as never] = proposed;
  assert.is(jobId, null);
  assert.equal(
    [draft.kind, draft.targetLayer, draft.files[0]?.path],
    ['memory', 'tenant', 'memory/testing.md'],
  );
  assert.match(draft.description, 'of job-1:\n\n> Start Docker\n> before the tests.');
});

test('the same again is the same proposal, until it is decided', async () => {
  const { promoteInsight, proposed, over } = stage(null);
  for (const _ of [1, 2]) await promoteInsight('job-1', 'a', {}, { by: 'token' });
  assert.is(proposed[0]?.id, proposed[1]?.id);
  over.push(proposed[0]?.id ?? '');
  await promoteInsight('job-1', 'a', {}, { by: 'token' });
  assert.is.not(proposed[2]?.id, proposed[0]?.id);
});

test('a memory that has it, an unknown insight, no folder and no credential are refused', async () => {
  const item = '- Start Docker\n  before the tests.\n';
  const code = (service: ReturnType<typeof stage>, id = 'a', by: 'open' | 'token' = 'token') =>
    codeOfRefusal(() => service.promoteInsight('job-1', id, {}, { by }));
  assert.is(await code(stage(item)), 'not-possible-now');
  assert.is(await code(stage(null), 'b'), 'not-found');
  assert.is(await code(stage(null, { root: null })), 'not-possible-now');
  assert.is(await code(stage(null), 'a', 'open'), 'unauthorized');
});

test.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { JobContext } from '../../../machines/index.ts';
import {
  findForeignRepository,
  isPlanApproved,
} from '../../../src/sessions/subRuns/createCoordinationPart.ts';
import type { Forge } from '../../../src/contract/forge/forge.ts';
import { createForges } from '../../../src/providers/forges.ts';
import { CAMPAIGN_WORKFLOW, phase, SteppedJob } from '../../support/charts/jobSteps.ts';

const test = suite('sub-runs in another repository');

const local = { id: 'local', canonical: (slug: string) => slug, serves: () => true };
const forges = createForges([local as Partial<Forge> as Forge]);
const spec = (params: Record<string, unknown> = {}) => ({ description: 'do it', params });

const planner = (
  params: Record<string, unknown> = {},
  {
    phases = CAMPAIGN_WORKFLOW.phases,
    writesTo,
  }: { phases?: typeof CAMPAIGN_WORKFLOW.phases; writesTo?: string[] } = {},
): JobContext => {
  const table = { ...CAMPAIGN_WORKFLOW, phases, ...(writesTo ? { writesTo } : {}) };
  return new SteppedJob(table, { params: { repoSlug: 'shop', ...params } }).run().context;
};

test("a sub-run that names no repository works in its parent's", () => {
  assert.is(findForeignRepository(forges, planner(), spec()), null);
  assert.is(findForeignRepository(forges, planner(), spec({ repoSlug: 'shop' })), null);
});

test('another one is foreign until a person, or front matter, names it', () => {
  const other = spec({ repoSlug: 'other' });
  assert.is(findForeignRepository(forges, planner(), other), 'other');
  assert.is(findForeignRepository(forges, planner({ writesTo: ['local:other'] }), other), null);
  assert.is(findForeignRepository(forges, planner({}, { writesTo: ['local:other'] }), other), null);
  assert.is(
    findForeignRepository(forges, planner({ writesTo: ['local:other#7'] }), other),
    'other',
    'a pull request is not its repository',
  );
});

test('a plan is approved at the checkpoint of the phase that finalizes, or at one before the sub-runs begin', () => {
  const [planning, ...rest] = CAMPAIGN_WORKFLOW.phases;
  const phasesWithCheckpoint = [
    { ...(planning ?? phase('planning')), interactive_checkpoint: true },
    ...rest,
  ];
  const later = [phase('planning'), phase('review', { interactive_checkpoint: true }), ...rest];
  assert.is(isPlanApproved(planner()), false);
  assert.is(isPlanApproved(planner({}, { phases: phasesWithCheckpoint })), true);
  assert.is(
    isPlanApproved(planner({ autoApprove: ['planning'] }, { phases: phasesWithCheckpoint })),
    true,
    'in advance',
  );
  assert.is(isPlanApproved(planner({}, { phases: later })), true);
  assert.is(
    isPlanApproved(planner({ autoApprove: ['review'] }, { phases: later })),
    false,
    'that approves review, not this plan',
  );
});

test.run();

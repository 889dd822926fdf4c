import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DashboardStage, Programs } from '../browser/dashboardStage.ts';

/**
 * Cuts its work into a diamond; the sub-run `worker` fails while its params say so, and where two
 * reminders are asked for `mailer` beside it.
 */
const CUTS = `
import { readFileSync } from 'node:fs';
const isTwo = readFileSync(process.env.SVC_SESSION_DIR + '/system.md', 'utf8').includes('two reminders');
const register = (name, description, dependsOn = [], params = {}) => tool('register_sub_run', { name, description, dependsOn, params });
register('schema', 'The shapes that everybody shares');
register('store', 'Keep orders in the store', ['schema']);
register('worker', 'Send reminders once a day', ['schema'], { broken: true });
if (isTwo) register('mailer', 'Send reminders by mail', ['schema'], { broken: true });
register('release', 'Put it together', ['store', 'worker', ...(isTwo ? ['mailer'] : [])]);
tool('finalize_sub_runs');
`;
const DOES = `
import { readFileSync } from 'node:fs';
const prompt = readFileSync(process.env.SVC_SESSION_DIR + '/system.md', 'utf8');
if (/"broken": *true/.test(prompt)) throw new Error('the mail server is not known');
if (/shapes/.test(prompt)) tool('add_insight', { category: 'contract-drift', text: 'total is a string now' });
`;
const SUMS = "console.log('all in one');";

const WORKFLOW = `---
id: cut
initial_phase: planning
phases:
  - { name: planning, agent: agents/cuts.md, status: cutting }
  - { name: waiting, agent: null, status: awaiting-sub-runs }
  - { name: summing, agent: agents/sums.md, status: summing }
coordinator: { enabled: true, parkPhase: waiting, resumePhase: summing, subRunWorkflowPath: workflows/does.md, maxParallelSubRuns: 3 }
createParams: { required: [repo, description], optional: [] }
---

A campaign.
`;
/** Without a phase that waits: a sub-run is complete when its agent is. */
const PART = `---
id: does
initial_phase: doing
phases:
  - { name: doing, agent: agents/does.md, status: doing }
createParams: { required: [repo, description], optional: [] }
---

A part.
`;

export const CAMPAIGN_PROGRAMS: Programs = { cuts: CUTS, does: DOES, sums: SUMS };

/** Starts a campaign that halts on its failed part `worker`; returns its id when it does. */
export async function haltedCampaign(stage: DashboardStage, description: string): Promise<string> {
  writeFileSync(join(stage.dir, 'tenant/workflows/cut.md'), WORKFLOW);
  writeFileSync(join(stage.dir, 'tenant/workflows/does.md'), PART);
  const id = await stage.job('cut', description);
  await stage.until(
    id,
    ({ parked, subRuns }) =>
      parked?.kind === 'halted' && subRuns.every(({ status }) => status !== 'dispatched'),
  );
  return id;
}

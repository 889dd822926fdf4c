import { join } from 'node:path';
import { MAX_COUNTED_RUNS, MAX_COUNTED_VISITS } from '../../src/base/limits/countedRuns.ts';
import { openStore } from '../../src/jobs/store/openStore.ts';
import { createWorkflowRuns } from '../../src/jobs/views/reports/createWorkflowRuns.ts';
import { under } from '../figure.ts';
import { longestBlock } from '../longestBlock.ts';
import { writePastJobs } from '../pastJobs.ts';
import { median } from '../statistics.ts';
import type { Row } from './row.ts';

const JOBS = 20_000;
const ROUNDS = 5;
const WORKFLOW = 'workflows/0.md';

/** As many transitions for each job of the workflow as are counted, through ten phases. */
const WRITE_TRANSITIONS = `
WITH RECURSIVE visits(visit) AS (SELECT 1 UNION ALL SELECT visit + 1 FROM visits WHERE visit < ${MAX_COUNTED_VISITS})
INSERT INTO phase_transitions (job_id, visit, kind, at, workflow, from_phase, to_phase, cause)
SELECT job_id, visit, 'next', created_at + visit, workflow, 'phase-' || (visit % 10), 'phase-' || ((visit + 1) % 10), 'advanced'
FROM (SELECT job_id, workflow, created_at FROM job_list WHERE workflow = '${WORKFLOW}' ORDER BY created_at DESC LIMIT ${2 * MAX_COUNTED_RUNS}), visits`;

/** How often the newest runs of one of seven workflows took each transition, among 20,000 jobs. */
export const workflowRunsRow: Row = {
  figures: ['workflowRuns.block'],
  async measure(lab, note) {
    const file = join(lab.folder('workflow-runs'), 'state.db');
    const now = Date.now();
    const store = openStore({ file, pid: process.pid, now });
    try {
      writePastJobs(store, JOBS, now);
      store.db.run(WRITE_TRANSITIONS);
      const { workflowRuns } = createWorkflowRuns(store.workflowRuns);
      const blocks: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1)
        blocks.push(
          await longestBlock(async () => {
            const { runs, transitions } = await workflowRuns({ workflow: WORKFLOW });
            const times = transitions.reduce((sum, one) => sum + one.times, 0);
            if (runs !== MAX_COUNTED_RUNS || times !== runs * MAX_COUNTED_VISITS)
              throw new Error(`${runs} runs and ${times} transitions are counted`);
          }),
        );
      note(
        `${MAX_COUNTED_RUNS} runs of ${MAX_COUNTED_VISITS} visits each; longest blocks ${blocks.map((ms) => ms.toFixed(0)).join(', ')} ms`,
      );
      return { 'workflowRuns.block': under({ value: median(blocks), unit: 'ms', target: 50 }) };
    } finally {
      store.close();
    }
  },
};

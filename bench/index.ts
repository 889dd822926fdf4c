/**
 * npm run bench [-- --json] [-- --only <figure,…>] [-- --parked <jobs>] [-- --home <folder>]
 *
 * Measures what svc promises to be fast at and prints a table, a line as each figure is known. With
 * `--json` the table goes to stderr, and the last line of stdout is one object { figure: { value,
 * unit, ratio, target, ok } }. `--only` takes names of figures or the part before the dot; `million`
 * is measured only where it is named, with as many jobs as `--parked` says (default 1,000,000);
 * its home takes minutes to make, and `--home` keeps it in that folder and uses it again. Exit
 * code 1 when a target was missed.
 */
import { benchFlags } from './flags.ts';
import { Lab } from './lab.ts';
import { agentsRow } from './rows/agents.ts';
import { budgetsRow } from './rows/budgets.ts';
import { builtinRow } from './rows/builtin.ts';
import { campaignRow } from './rows/campaign.ts';
import { cloudRows } from './rows/cloud.ts';
import { cloudWebhooksRow } from './rows/cloudWebhooks.ts';
import { commandLineRow } from './rows/commandLine.ts';
import { costsRow } from './rows/costs.ts';
import { forgeMatchRow } from './rows/forgeMatch.ts';
import { guardrailsRow } from './rows/guardrails.ts';
import { invariantsRow } from './rows/invariants.ts';
import { getJobRow } from './rows/getJob.ts';
import { homeStepsRow } from './rows/homeSteps.ts';
import { homeTakeoverRows } from './rows/homeTakeover.ts';
import { idleRow } from './rows/idle.ts';
import { kernelStepsRow } from './rows/kernelSteps.ts';
import { ratingRow } from './rows/rating.ts';
import { memoryRow } from './rows/memory.ts';
import { metricsRow } from './rows/metrics.ts';
import { millionRow } from './rows/million.ts';
import { planModeRow } from './rows/planMode.ts';
import { reportsRow } from './rows/reports.ts';
import { restartRow } from './rows/restart.ts';
import type { Row } from './rows/row.ts';
import { sandboxRow } from './rows/sandbox.ts';
import { statisticsRow } from './rows/statistics.ts';
import { workflowRunsRow } from './rows/workflowRuns.ts';
import { streamsRow } from './rows/streams.ts';
import { wakeRow } from './rows/wake.ts';
import { webhooksRow } from './rows/webhooks.ts';
import { wholeJobsRow } from './rows/wholeJobs.ts';
import { runRows } from './runRows.ts';

const flags = benchFlags();

const ROWS: readonly Row[] = [
  kernelStepsRow,
  budgetsRow,
  ratingRow,
  wholeJobsRow,
  campaignRow,
  wakeRow,
  webhooksRow,
  forgeMatchRow,
  memoryRow,
  restartRow,
  metricsRow,
  getJobRow,
  statisticsRow,
  workflowRunsRow,
  costsRow,
  reportsRow,
  streamsRow,
  agentsRow,
  builtinRow,
  guardrailsRow,
  invariantsRow,
  sandboxRow,
  planModeRow,
  idleRow,
  ...cloudRows,
  cloudWebhooksRow,
  homeStepsRow,
  ...homeTakeoverRows,
  commandLineRow,
  millionRow(Number(flags.parked), flags.home),
];

const lab = new Lab();
try {
  await runRows(ROWS, lab, flags);
} finally {
  lab.close();
}

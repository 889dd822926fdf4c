import type { Route } from './route.ts';
import { backupRoutes } from './routes/backup.ts';
import { commandRoutes } from './routes/commands.ts';
import { budgetRoutes } from './routes/budgets.ts';
import { costRoutes } from './routes/costs.ts';
import { reportRoutes } from './routes/report.ts';
import { decisionRoutes } from './routes/decisions.ts';
import { configRoutes } from './routes/config.ts';
import { forgeRoutes } from './routes/forge.ts';
import { historyRoutes } from './routes/history.ts';
import { statisticsRoutes } from './routes/statistics.ts';
import { intakeRoutes } from './routes/intake.ts';
import { intelligenceRoutes } from './routes/intelligence.ts';
import { jobRoutes } from './routes/jobs.ts';
import { loginRoutes } from './routes/logins.ts';
import { outputRoutes } from './routes/outputs.ts';
import { guardrailRoutes } from './routes/guardrails.ts';
import { proposalRoutes } from './routes/proposals.ts';
import { accountRoutes } from './routes/accounts.ts';
import { pluginRoutes } from './routes/plugins.ts';
import { questionRoutes } from './routes/questions.ts';
import { reviewRoutes } from './routes/reviews.ts';
import { serviceRoutes } from './routes/service.ts';
import { streamRoutes } from './routes/stream.ts';
import { subRunRoutes } from './routes/subRuns.ts';
import { setUpRoutes } from './routes/setUp.ts';
import { trustRoutes } from './routes/trust.ts';
import { vendorLoginRoutes } from './routes/vendorLogins.ts';
import { webhookRoutes } from './routes/webhooks.ts';

/** Every route of the API. The router and the OpenAPI document are both made of this table. */
export const routes: readonly Route[] = [
  ...serviceRoutes,
  ...backupRoutes,
  ...streamRoutes,
  ...jobRoutes,
  ...outputRoutes,
  ...historyRoutes,
  ...statisticsRoutes,
  ...budgetRoutes,
  ...costRoutes,
  ...reportRoutes,
  ...accountRoutes,
  ...guardrailRoutes,
  ...decisionRoutes,
  ...proposalRoutes,
  ...commandRoutes,
  ...subRunRoutes,
  ...questionRoutes,
  ...reviewRoutes,
  ...forgeRoutes,
  ...webhookRoutes,
  ...pluginRoutes,
  ...vendorLoginRoutes,
  ...configRoutes,
  ...setUpRoutes,
  ...trustRoutes,
  ...intelligenceRoutes,
  ...intakeRoutes,
  ...loginRoutes,
];

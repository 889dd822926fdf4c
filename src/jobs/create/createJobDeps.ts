import type { RowReader } from '../../contract/records/rowReader.ts';
import type { KernelUse } from '../../contract/records/changes.ts';
import type { Blobs } from '../workspace/blobs.ts';
import type { Workplace } from '../workspace/workplace.ts';
import type { Settings } from '../../contract/schema/runner/settings.ts';
import type { Forges } from '../../providers/forges.ts';
import type { RunAdvisor } from './refuseToRun.ts';
import type { Sandboxes } from '../../executors/sandbox/sandboxes.ts';
import type { JobIds } from './jobIds.ts';
import type { KnownRepositories } from './knownRepositories.ts';
import type { Budgets } from '../../policy/budgets/budgets.ts';
import type { Guardrails } from '../../policy/guardrails/guardrails.ts';
import type { Enforcement } from '../terms/enforcement.ts';
import type { Estimates } from '../../policy/budgets/estimates.ts';
import type { Requests } from '../commands/requests.ts';
import type { TicketDeps } from '../tickets/fillParamsFromTicket.ts';

export interface CreateJobDeps {
  settings: Settings;
  workplace: Workplace;
  kernel: KernelUse;
  rows: RowReader;
  blobs: Pick<Blobs, 'put'>;
  forges: Forges;
  repositories: Pick<KnownRepositories, 'errors' | 'problem'>;
  /** Asked for what the request leaves out. */
  tickets: TicketDeps;
  runAdvisor: RunAdvisor;
  budgets: Pick<Budgets, 'problemOfNew'>;
  /** Whether the budgets of an unattended job can be enforced. */
  enforcement: Pick<Enforcement, 'accounts' | 'phases'>;
  estimates: Pick<Estimates, 'of'>;
  sandboxes: Pick<Sandboxes, 'refusal' | 'probe'>;
  guardrails: Pick<Guardrails, 'check'>;
  /** `reason`: why no queued job starts now; null = they do. */
  disk: { readonly reason: string | null };
  /** Throws SvcError where this runner makes no new jobs; repeats of earlier requests are answered. Default: it does. */
  refuseNew?: (() => void) | undefined;
  requests: Requests;
  ids: JobIds;
  now(): number;
}

import {
  listFallbackAliases,
  resolvePhaseModel,
} from '../../workflows/definition/resolvePhaseModel.ts';
import type { Account } from '../../policy/budgets/admitSession.ts';
import type { PhaseCalls } from '../../policy/budgets/budgetDeps.ts';
import type { Budgets } from '../../policy/budgets/budgets.ts';
import { deriveNewJobFacts, type NewJob } from '../../policy/budgets/deriveNewJobFacts.ts';
import { formatAmount } from '../../base/spending/budgetScopes.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { Settings } from '../../contract/schema/runner/settings.ts';
import type { PhaseDefinition } from '../../contract/schema/workflow/workflow.ts';

export interface EnforcementDeps {
  settings: Pick<Settings, 'llm'>;
  callPrice(phase: PhaseDefinition): PhaseCalls;
  budgets: Pick<Budgets, 'accountsOfNew'>;
  findRoot(jobId: string): string;
}

/** A job with its workflow; without an id it does not exist yet. */
export type PlannedWork = NewJob & { id?: string };

/** A phase with an agent, one way to run it, and its budgets. */
export interface CappedPhase {
  workflowPath: string;
  name: string;
  /** The alias that runs it while its own account is exhausted; null = its own. */
  fallback: string | null;
  provider: string;
  /** null = the executor chooses. */
  model: string | null;
  call: PhaseCalls;
  accounts: readonly Account[];
}

/** Which budgets the phases of a job have, and whether they can be enforced. */
export class Enforcement {
  readonly #deps: EnforcementDeps;

  constructor(deps: EnforcementDeps) {
    this.#deps = deps;
  }

  /** The budgets of a job, whichever of its phases runs. */
  accounts(job: PlannedWork): Account[] {
    const { id = '', params } = job;
    const { parentJobId } = params;
    const isBelow = typeof parentJobId === 'string' && parentJobId !== '';
    const root = isBelow ? this.#deps.findRoot(parentJobId) : id;
    return this.#deps.budgets.accountsOfNew({ ...deriveNewJobFacts(job), id, root });
  }

  /**
   * Its phases with an agent, each in its normal way and with each fallback. `above`: further
   * budgets, of the campaign that it will belong to.
   */
  phases(job: PlannedWork, above: readonly Account[] = []): CappedPhase[] {
    const accounts = [...this.accounts(job), ...above];
    const { llm } = this.#deps.settings;
    return job.workflow.phases
      .filter(({ agent }) => agent !== null)
      .flatMap((phase) => [
        this.#phase(job.workflowPath, phase, null, accounts),
        ...listFallbackAliases(llm, phase).map((alias) =>
          this.#phase(job.workflowPath, { ...phase, model: alias }, alias, accounts),
        ),
      ]);
  }

  #phase(
    workflowPath: string,
    phase: PhaseDefinition,
    fallback: string | null,
    accounts: readonly Account[],
  ): CappedPhase {
    const { provider, model } = resolvePhaseModel(this.#deps.settings.llm, phase);
    const call = this.#deps.callPrice(phase);
    return { workflowPath, name: phase.name, fallback, provider, model, call, accounts };
  }
}

/** The first cap of a phase that cannot be enforced; undefined = none. */
const findUnkeptCap = ({ call, accounts }: CappedPhase): Account | undefined =>
  call.reportsUsage === 'never'
    ? accounts.find(({ metric }) => metric === 'tokens' || (metric === 'usd' && call.metered))
    : undefined;

/**
 * Refuses unattended work under a cap that the runner could not enforce: the executor of a phase is
 * not known to report what the cap counts. `own`: the workflow that the job begins with. Throws
 * SvcError `cannot-run`.
 */
export function refuseUnenforced(phases: readonly CappedPhase[], own: string): void {
  for (const phase of phases) {
    const account = findUnkeptCap(phase);
    if (account === undefined) continue;
    const { metric, scope, cap } = account;
    const { workflowPath, name, fallback, provider } = phase;
    const place = workflowPath === own ? '' : ` of ${workflowPath}`;
    const instead = fallback === null ? '' : ` with its fallback ${fallback}`;
    throw new SvcError(
      'cannot-run',
      `The job cannot work unattended: the cap of ${formatAmount(metric, cap)} for the ${scope} cannot be enforced in the phase ${name}${place}${instead}, because ${provider} is not known to report its tokens. Run the phase with an executor that does (builtin, claude, acp:opencode, acp:gemini), or cap sessions and minutes in place of ${metric === 'usd' ? 'dollars' : 'tokens'}.`,
    );
  }
}

import {
  HEADLESS_USE,
  isAccountClosed,
  isAccountUsedUp,
  MOST_USE,
  readQuotaContext,
  computeUsedShare,
  type AccountClosure,
  type JobContext,
  type QuotaContext,
} from '../../../machines/index.ts';
import type { ActorState } from '../../kernel/chart.ts';
import type { Executor } from '../../contract/session/executor.ts';
import type { Admission, AdmissionAnswer } from '../admission.ts';
import { findUpcomingPhase, findPhaseAccount, type AccountLookupDeps } from './findPhaseAccount.ts';
import {
  toExecutorId,
  listFallbackAliases,
  resolvePhaseModel,
} from '../../workflows/definition/resolvePhaseModel.ts';
import type { Fallback } from '../../base/agents/fallback.ts';
import type { PhaseDefinition } from '../../contract/schema/workflow/workflow.ts';

interface FallbackDeps extends AccountLookupDeps {
  executor(id: string): Pick<Executor, 'pool' | 'lacks'> | undefined;
}

/**
 * The alias with which a visit begins while its phase's account is exhausted; null = it waits. An
 * alias without a usable executor or account is passed over for its own fallback. A visit that has
 * begun keeps its model, since its conversation cannot move, and so does a phase that pins its
 * provider. `isOpen`: whether an account takes this job.
 */
function pickQuotaFallback(
  deps: FallbackDeps,
  { next }: Pick<JobContext, 'next'>,
  phase: PhaseDefinition,
  exhaustedAccount: string,
  isOpen: (accountId: string) => boolean,
): Fallback | null {
  const { model: from } = phase;
  if (next === null || next.sameVisit || from === null) return null;
  for (const to of listFallbackAliases(deps.settings.llm, phase)) {
    const instead = { ...phase, model: to };
    if (!isRunnable(deps, instead)) continue;
    const accountId = findPhaseAccount(deps, instead);
    if (accountId !== exhaustedAccount && (accountId === null || isOpen(accountId)))
      return { from, to, pool: exhaustedAccount };
  }
  return null;
}

function isRunnable({ settings, executor }: FallbackDeps, phase: PhaseDefinition): boolean {
  if (phase.model === null || !Object.hasOwn(settings.llm.aliases, phase.model)) return false;
  const llm = resolvePhaseModel(settings.llm, phase);
  const chosenExecutor = executor(toExecutorId(llm.provider));
  return (
    chosenExecutor !== undefined &&
    (chosenExecutor.lacks?.({ llm, command: null }) ?? null) === null
  );
}

const GO: AdmissionAnswer = { kind: 'go' };
/** How long a job waits for an account that is trying or waking others, ms. */
const SOON_MS = 60_000;

export interface QuotaAdmissionDeps extends AccountLookupDeps {
  executor(id: string): Pick<Executor, 'pool' | 'lacks'> | undefined;
  state(id: string): ActorState | undefined;
  now(): number;
}

/** Why a phase may not begin though its account is open: too little of a window is left. */
export function isWindowTooFull(
  { use }: QuotaContext,
  { visit, interactive }: Pick<JobContext, 'visit' | 'interactive'>,
  now: number,
): boolean {
  const usedShare = computeUsedShare(use, now);
  return usedShare >= MOST_USE || (usedShare >= HEADLESS_USE && visit === 0 && !interactive);
}

type ParkAnswer = Extract<AdmissionAnswer, { kind: 'park' }>;

/** The wait of a job for its account; null = the account takes it. */
function toQuotaWait(quota: ActorState, job: JobContext, now: number): ParkAnswer | null {
  const { closed, use } = readQuotaContext(quota);
  const toParkAnswer = ({
    since: _since,
    ...limit
  }: Omit<AccountClosure, 'since'> & { since?: number }): ParkAnswer => ({
    kind: 'park',
    event: { type: 'quota.closed', pool: quota.id, ...limit },
  });
  const soon = now + SOON_MS;
  if (isAccountClosed(quota))
    return toParkAnswer(closed ?? { kind: 'throttled', window: null, until: soon });
  if (!isWindowTooFull(readQuotaContext(quota), job, now)) return null;
  const { window = null, resetsAt = null } = use ?? {};
  return toParkAnswer({ kind: 'exhausted', window, until: resetsAt ?? soon });
}

/**
 * Whether an account still takes a job that it has woken: only the probe, while a limit may hold.
 */
const admitsWokenJob = (quota: ActorState, admission: JobContext['admitted']): boolean =>
  !isAccountUsedUp(quota) &&
  (admission === 'probe' || (admission === 'pool' && quota.value !== 'probing'));

/**
 * Asks the account of the next job. A closed account parks the job and wakes it later; a job that a
 * person has resumed begins in any case. A woken job waits again if a limit was met before its
 * turn. While an account is exhausted, a new visit takes the fallback of its alias, if one is set.
 */
export const createQuotaAdmission = (deps: QuotaAdmissionDeps): Admission => ({
  beginGroup(changes) {
    const changedAccounts = new Map(changes.map(({ id, state }) => [id, state]));
    const readState = (id: string) => changedAccounts.get(id) ?? deps.state(id);
    return (job) => {
      const context = job.context as JobContext;
      const { admitted } = context;
      if (admitted === true) return GO;
      const phase = findUpcomingPhase(context);
      const id = phase ? findPhaseAccount(deps, phase) : null;
      const quota = id === null ? undefined : readState(id);
      if (phase === undefined || id === null || quota === undefined) return GO;
      if (admitsWokenJob(quota, admitted)) return GO;
      const now = deps.now();
      const wait = toQuotaWait(quota, context, now);
      if (wait === null) return GO;
      if (wait.event.kind !== 'exhausted') return wait;
      const fallback = pickQuotaFallback(deps, context, phase, id, (other) => {
        const state = readState(other);
        return state === undefined || toQuotaWait(state, context, now) === null;
      });
      return fallback === null ? wait : { kind: 'go', grant: { fallback } };
    };
  },
});

import type { Fallback } from '../../src/base/agents/fallback.ts';
import type { ClosedLimit } from '../../src/base/agents/quotaKinds.ts';
import type { GivenUpEffect } from '../../src/kernel/chart.ts';
import type { Caller } from '../../src/contract/schema/runner/caller.ts';
import type { MessageWay } from '../../src/contract/schema/session/message.ts';
import type { ProviderEvent } from '../../src/contract/schema/forge/pr.ts';
import type { SubRunAction, SubRunStatus } from '../../src/contract/schema/job/subRun.ts';
import type { WorkflowTable } from '../../src/contract/schema/workflow/workflow.ts';
import type { Exceeded } from '../../src/contract/schema/policy/exceeded.ts';
import type { Tables } from '../../src/contract/records/tables.ts';
import type { WorkItem, WorkItemStatus } from '../../src/contract/schema/job/workItem.ts';
import type { PrProblem } from './jobContext.ts';
import type { JobAnswer } from './ports.ts';

/** Calls of a phase visit or session that is over are refused. */
interface Fence {
  visit: number;
  session: number;
}

/** What agents send through the tool server, under the tools' own names. */
export type ToolEvent =
  | ({ type: 'tool.set_work_items'; items: WorkItem[] } & Fence)
  | ({
      type: 'tool.update_work_item';
      id: string;
      status?: WorkItemStatus;
      title?: string;
      prIds?: string[];
    } & Fence)
  | ({ type: 'tool.request_new_session'; prompt: string | null } & Fence)
  | ({ type: 'tool.set_job_params'; params: Record<string, unknown> } & Fence)
  | ({ type: 'tool.goto_phase'; phase: string; reason: string } & Fence)
  | ({
      type: 'tool.await_event';
      kinds: string[] | null;
      prId: string | null;
      resumePhase: string | null;
      /** What a person has to do; left out = the job waits for a pull request or ticket. */
      external?: string;
      /** Providers with webhooks, set by the runner. Only these report events of tickets. */
      heard?: string[];
    } & Fence)
  | ({ type: 'tool.escalate'; message: string } & Fence)
  | ({
      type: 'tool.switch_workflow';
      workflowPath: string;
      workflow: WorkflowTable;
      toPhase: string;
      reason: string;
    } & Fence)
  | ({
      type: 'tool.post_artifact';
      id: string;
      kind: string;
      title: string;
      mime: string;
      size: number;
      sha256: string;
    } & Fence)
  | ({ type: 'tool.add_insight'; id: string; category: string; text: string } & Fence)
  /** The same commit starts the proposal's actor. */
  | ({
      type: 'tool.propose_change';
      id: string;
      kind: string;
      layer: string;
      paths: string[];
    } & Fence)
  | ({
      type: 'tool.forge_write';
      key: string;
      forge: string;
      operation: string;
      args: Record<string, unknown>;
    } & Fence)
  /** Orchestration tools; the dispatcher's own event is in the same commit. */
  /** `spec`: sha256 of the spec, so that an approval covers it; older events have none. */
  | ({ type: 'tool.register_sub_run'; name: string; spec?: string } & Fence)
  /** `specs`: hash over the checked specs, to detect later ones. Older events have none. */
  | ({ type: 'tool.finalize_sub_runs'; specs?: string | null } & Fence)
  | ({ type: 'tool.sub_run_command'; command: SubRunAction; name: string } & Fence)
  /** `alias`: the tool was called by its older name. */
  | ({
      type: 'tool.convert_to_workflow';
      workflowPath: string;
      workflow: WorkflowTable;
      toPhase: string;
      reason: string;
      alias?: 'convert_to_campaign';
    } & Fence)
  /** Of scm_clone_repo: the checkout already existed or was created again. */
  | ({ type: 'tool.checkout'; dir: string; absDir: string } & Fence);

/** The name of the person; left out = the request named none. */
type PersonName = { person?: string };

export type PersonEvent =
  /**
   * `shown`: hash of what was approved or rejected. `by`: how the person was authenticated; events
   * of svc 0.2 do not say. `unattended`: new limit of unattended work, ISO time.
   */
  | ({
      type: 'job.resume';
      eventKey: string;
      shown?: string;
      by?: Caller;
      unattended?: string;
    } & PersonName)
  /** `replaces`: number of the inbox item that it supersedes, which no agent was given yet. */
  | { type: 'job.message'; id: string; text: string; author: string; replaces?: number }
  /** `all`: together with every other job. */
  | ({ type: 'job.pause'; all?: boolean } & PersonName)
  | ({ type: 'job.cancel'; reason: string | null } & PersonName)
  | ({ type: 'job.rerun'; phase: string } & PersonName)
  | { type: 'insight.remove'; id: string };

/** One message given to one run of a session; a restart makes another run of it. */
interface Offer extends Fence {
  id: string;
  attempt: number;
}

export type RunnerEvent =
  /**
   * `hold`: what the job may use of its budgets; left out = none is capped. `fallback`: replaces an
   * alias from this visit on.
   */
  | { type: 'slot.granted'; hold?: Tables['budget_holds']; fallback?: Fallback }
  /** From the slots: a budget is spent, so the job gets no slot. */
  | { type: 'budget.exceeded'; exceeded: Exceeded }
  /** A cap was raised, or the timer of `parked.budget` fired because the next window began. */
  | { type: 'budget.renewed' }
  /**
   * Set by the decision layer. `held`: the comment is not worth waking the job; `override`: its
   * text seems to give other instructions.
   */
  | { type: 'forge.event'; event: ProviderEvent; held?: true; override?: true }
  /** From watchers of pull requests, on change: why no news can come; null = resolved. */
  | { type: 'pr.problems'; found: { prId: string; problem: PrProblem | null }[] }
  | {
      type: 'effect.givenUp';
      effect: string;
      why: GivenUpEffect['why'];
      attempts: number;
      error: string;
      /** `code` of the port's last error, if any. */
      code?: string;
      /** From the effect's params, if present; an event of an earlier visit changes nothing. */
      visit: number | null;
      session: number | null;
      key: string | null;
    }
  /** From the dispatcher: all have ended. `failures`: some failed ones; `failed`: their count. */
  | {
      type: 'subRuns.settled';
      counts: Readonly<Record<SubRunStatus, number>>;
      failures: { name: string; status: SubRunStatus }[];
      failed: number;
    }
  /**
   * From the dispatcher: no new sub-run starts until a person decides about these failures, or a
   * person has decided.
   */
  | { type: 'subRuns.halted'; names: string[] }
  | { type: 'subRuns.goOn' }
  /** From the dispatcher: why jobs cannot be created now; null = they can. It retries. */
  | { type: 'subRuns.hindered'; message: string | null; needsPerson: boolean }
  /** From the dispatcher: a sub-run must rerun. Nothing begins before the job waits. */
  | { type: 'subRuns.reopened' }
  /** Recorded before a session is given a message, so that no run gets it twice. */
  | ({ type: 'message.offered'; how: MessageWay; interrupted: string | null } & Offer)
  /** The message is now part of the model's input. */
  | ({ type: 'message.delivered' } & Offer)
  /** The model has begun to answer the message, inbox item `n`. Sent once per message. */
  | ({ type: 'message.acknowledged'; n: number } & Offer)
  /** Timer of `working.stopping`: the session has not ended in time, and the job stops waiting. */
  | { type: 'stop.overdue' }
  /** Timer of `working.judging`: the decision layer has not answered in time. */
  | { type: 'judge.overdue' }
  /** The limit should be over: sent by the account, else by the timer of `parked.quota`. */
  | { type: 'quota.reset'; pool?: string; probe?: true }
  /**
   * From the slots: the next phase's account accepts no session. `until`: null = unknown. `error`:
   * how the last session ended on a failing account.
   */
  | ({ type: 'quota.closed'; pool: string; until: number | null; error?: string } & ClosedLimit)
  /** A job parked before svc had accounts now waits for this one. */
  | { type: 'quota.adopted'; pool: string }
  /** Timer of a job that works unattended: its time is over. */
  | { type: 'until.reached' }
  /** Timer of `parked.outage`: the job tries again. */
  | { type: 'outage.over' };

/** `at` (epoch ms): stamped by the kernel on every event. */
export type JobEvent = (ToolEvent | PersonEvent | RunnerEvent | JobAnswer) & { at: number };

export type EventOf<Type extends JobEvent['type']> = Extract<JobEvent, { type: Type }>;

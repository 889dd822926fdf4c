import type { Fallback } from '../../src/shared/agents/fallback.ts';
import type { ClosedLimit } from '../../src/shared/agents/quotaKinds.ts';
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

/** Carried by every event of a tool: a call of a phase visit or session that is over is refused. */
interface Fence {
  visit: number;
  session: number;
}

/** What agents send, through the tool server. Names are the tools' own. */
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
      /** What a person has to do; left out = it waits for a pull request or ticket. */
      external?: string;
      /**
       * Names of the providers whose webhooks are configured, set by the runner: without a webhook,
       * no events of a ticket arrive.
       */
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
  /** The proposal itself is an actor that is started in the same commit. */
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
  /** Of the orchestration tools: the dispatcher's own event is in the same commit. */
  /**
   * `spec`: sha256 of the whole spec, so that what is approved covers it; older events have none.
   */
  | ({ type: 'tool.register_sub_run'; name: string; spec?: string } & Fence)
  /**
   * `specs`: hash over the specs that were checked; one that was registered meanwhile was not.
   * Older events have none.
   */
  | ({ type: 'tool.finalize_sub_runs'; specs?: string | null } & Fence)
  | ({ type: 'tool.sub_run_command'; command: SubRunAction; name: string } & Fence)
  /** `alias`: it was called by its older name. */
  | ({
      type: 'tool.convert_to_workflow';
      workflowPath: string;
      workflow: WorkflowTable;
      toPhase: string;
      reason: string;
      alias?: 'convert_to_campaign';
    } & Fence)
  /** scm_clone_repo: the checkout exists already or was created again. */
  | ({ type: 'tool.checkout'; dir: string; absDir: string } & Fence);

/** What people send. */
export type PersonEvent =
  /**
   * `shown`: hash of what was approved or rejected. `by`: how the person came in; events of svc 0.2
   * do not say. `unattended`: until when it may work unattended from now on, ISO time.
   */
  | { type: 'job.resume'; eventKey: string; shown?: string; by?: Caller; unattended?: string }
  /**
   * `replaces`: number of the inbox item that it supersedes, because no agent was given that one
   * yet.
   */
  | { type: 'job.message'; id: string; text: string; author: string; replaces?: number }
  /** `all`: with every other job. */
  | { type: 'job.pause'; all?: boolean }
  | { type: 'job.cancel'; reason: string | null }
  | { type: 'job.rerun'; phase: string }
  | { type: 'insight.remove'; id: string };

/**
 * One message given to one run of a session: after a restart of the runner the same session is run
 * by another attempt.
 */
interface Offer extends Fence {
  id: string;
  attempt: number;
}

/** What the runner and the kernel send. */
export type RunnerEvent =
  /**
   * `hold`: what it may use of its budgets; left out = none is capped. `fallback`: what the
   * visit that begins and those after it use in place of an alias.
   */
  | { type: 'slot.granted'; hold?: Tables['budget_holds']; fallback?: Fallback }
  /** The slots: a budget is spent, so the job does not get its slot. */
  | { type: 'budget.exceeded'; exceeded: Exceeded }
  /** A cap was raised, or the timer of `parked.budget`: the next window has begun. */
  | { type: 'budget.renewed' }
  /**
   * Both by the decision layer: `held`: a comment that is not worth waking the job for; `override`:
   * its text looks as if it gave other instructions.
   */
  | { type: 'forge.event'; event: ProviderEvent; held?: true; override?: true }
  /**
   * Those who watch pull requests: why nothing can come from them now; null = that has passed. Sent
   * where it changes.
   */
  | { type: 'pr.problems'; found: { prId: string; problem: PrProblem | null }[] }
  | {
      type: 'effect.givenUp';
      effect: string;
      why: GivenUpEffect['why'];
      attempts: number;
      error: string;
      /** `code` of the error that its port threw last, where it has one. */
      code?: string;
      /**
       * Of the effect's params, where it has them: a given-up effect of a visit that is over
       * changes nothing.
       */
      visit: number | null;
      session: number | null;
      key: string | null;
    }
  /**
   * The dispatcher: every sub-run has ended. `failures` names some of those that did not succeed,
   * `failed` counts them.
   */
  | {
      type: 'subRuns.settled';
      counts: Readonly<Record<SubRunStatus, number>>;
      failures: { name: string; status: SubRunStatus }[];
      failed: number;
    }
  /**
   * The dispatcher: no new sub-run starts until a person has decided about these failures, and that
   * a person has decided.
   */
  | { type: 'subRuns.halted'; names: string[] }
  | { type: 'subRuns.goOn' }
  /**
   * The dispatcher: jobs of sub-runs cannot be created now, and why; null: they can. It tries again
   * by itself.
   */
  | { type: 'subRuns.hindered'; message: string | null; needsPerson: boolean }
  /**
   * The dispatcher: a sub-run is to run again although all had ended. Nothing begins before the job
   * waits.
   */
  | { type: 'subRuns.reopened' }
  /**
   * Said before a message is given to a session, so that no run of a session is given one twice.
   */
  | ({ type: 'message.offered'; how: MessageWay; interrupted: string | null } & Offer)
  /** The message is part of what the model is asked. */
  | ({ type: 'message.delivered' } & Offer)
  /**
   * The model has begun its answer to that. `n` is the number of the inbox item. Sent once for each
   * message.
   */
  | ({ type: 'message.acknowledged'; n: number } & Offer)
  /**
   * The timer of `working.stopping`: the session has not ended in time, and the job no longer waits
   * for it.
   */
  | { type: 'stop.overdue' }
  /** The timer of `working.judging`: the decision layer has not answered in time. */
  | { type: 'judge.overdue' }
  /**
   * The limit of the model should be over: its account wakes the job, or, where none is known, the
   * timer of `parked.quota`.
   */
  | { type: 'quota.reset'; pool?: string; probe?: true }
  /**
   * Slots: the account of the phase that is next takes no session. `until`: null = no time is known.
   * `error`: how its last session has ended, where it is failing.
   */
  | ({ type: 'quota.closed'; pool: string; until: number | null; error?: string } & ClosedLimit)
  /** A job that was parked before accounts were known waits for this one now. */
  | { type: 'quota.adopted'; pool: string }
  /** The timer of a job that works unattended: its time is over. */
  | { type: 'until.reached' }
  /** The timer of `parked.outage`: what could not be reached is tried again. */
  | { type: 'outage.over' };

/** `at` (epoch ms) is stamped by the kernel on every event. */
export type JobEvent = (ToolEvent | PersonEvent | RunnerEvent | JobAnswer) & { at: number };

/** The event with this type; of a union of types, the union of events. */
export type EventOf<Type extends JobEvent['type']> = Extract<JobEvent, { type: Type }>;

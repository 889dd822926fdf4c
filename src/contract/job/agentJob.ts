import type { Campaign } from '../schema/job/campaign.ts';
import type { Artefact, Insight, Job } from '../schema/job/job.ts';
import type { RepoReads } from '../schema/forge/repoReads.ts';
import type { WorkflowTable } from '../schema/workflow/workflow.ts';
import type { Proposing } from '../workflow/proposing.ts';
import type { EvidenceQuery, JobEvidence } from './jobEvidence.ts';
import type { SessionRef } from '../session/sessionRef.ts';

/** Answer of the job to a tool's event. */
export type ToolReceipt =
  | {
      ok: true /** The same call of this visit was answered before; nothing happened again. */;
      duplicate: boolean;
    }
  | { ok: false /** What the agent should know and do instead. */; message: string };

/** An event as a tool sends it: the fence (visit, session) and the time are added by the port. */
export interface ToolEventDraft {
  type: `tool.${string}`;
  [key: string]: unknown;
}

/**
 * What the tool server of one phase may do to its job. Made by the runner for one session; every
 * call of a session that is over is refused.
 */
export interface AgentJob extends SessionRef, Proposing {
  /** Absolute path of `<workingDir>/<jobId>`. */
  readonly jobDir: string;
  job(): Job;
  /**
   * Sends an event to the job's chart. `key` makes it happen once: the same key again is a
   * duplicate.
   */
  send(event: ToolEventDraft, key: string): Promise<ToolReceipt>;
  /**
   * An orchestration tool: an event of the job's chart and a command of its dispatcher, both taken
   * or neither. `subRuns.finalize` gets the concurrency cap and the failure policy from the port,
   * `subRuns.rerun` its merged params.
   */
  coordinate(
    event: ToolEventDraft,
    command: { type: `subRuns.${string}`; [key: string]: unknown } | null,
    key: string,
  ): Promise<ToolReceipt>;
  /**
   * All that is wrong with the registered sub-runs, in sentences with names; empty = they can be
   * finalized.
   */
  subRunProblems(): Promise<string[]>;
  /**
   * What a failure would keep from beginning under the failure policy, a sentence each; for the
   * people who approve.
   */
  subRunNotes(): string[];
  /** The job's sub-runs in their current state; null if it has none. */
  campaign(): Campaign | null;
  /**
   * One write to a forge, through the chart and the outbox; resolves when the forge has answered.
   * `forge` is its id; undefined = the job's own provider.
   */
  forgeWrite(
    operation: string,
    args: Record<string, unknown>,
    key: string,
    forge?: string,
  ): Promise<{ ok: boolean; result: Record<string, unknown> }>;
  /** A read of a forge, straight; `forge` as above. */
  forgeRead(
    operation: 'get_pr_status' | 'get_pr_comments',
    args: { repo: string; number: number },
    forge?: string,
  ): Promise<Record<string, unknown>>;
  /**
   * One write to a tracker, as `forgeWrite`. `tracker` is its id; undefined = the job's own, and
   * `args.key` may then be left out: the job's own ticket.
   */
  trackerWrite(
    operation: 'post_comment' | 'transition_issue',
    args: Record<string, unknown>,
    key: string,
    tracker?: string,
  ): Promise<{ ok: boolean; result: Record<string, unknown> }>;
  /** A read of a tracker, straight; `tracker` and `args.key` as above. */
  trackerRead(
    operation: 'get_issue' | 'get_comments' | 'search_issues',
    args: { key?: string; text?: string; limit?: number },
    tracker?: string,
  ): Promise<Record<string, unknown>>;
  /** Reads the commits of the job's repository, as its forge has them now. */
  repoRead<K extends keyof RepoReads>(
    operation: K,
    args: RepoReads[K],
  ): Promise<Record<string, unknown>>;
  /** Makes or finds the job's checkout of its repository. */
  cloneRepo(): Promise<{ dir: string; absDir: string }>;
  /** A line of the job's log, from a tool. */
  log(line: string, tag: string | null): Promise<void>;
  /** Stores bytes under their sha256; idempotent. */
  storeBytes(bytes: Uint8Array): Promise<{ sha256: string; size: number }>;
  /**
   * The same for a file of the checkout or of the job's folder, without known secrets. Throws
   * SvcError `bad-argument` for a path that leads elsewhere or over a link, `not-found`,
   * `too-large`.
   */
  storeFile(path: string): Promise<{ sha256: string; size: number }>;
  /**
   * Puts a copy of a stored artefact into the job's folder; its path there, null if there is no
   * place for it.
   */
  copyArtefact(artefact: {
    kind: string;
    title: string;
    mime: string;
    sha256: string;
  }): Promise<string | null>;
  artefacts(): Artefact[];
  /**
   * A page of the text of an artefact from byte `offset` on: of this job, or of one whose artefacts
   * it may read. `nextOffset` null = there is no more. Throws SvcError `not-found`, and
   * `bad-argument` for what is not text.
   */
  artefactText(
    id: string,
    offset: number,
  ): Promise<{ artefact: Artefact; text: string; nextOffset: number | null }>;
  insights(): Insight[];
  /**
   * What ended jobs show: of the job's repository, or of all where it has none. Throws SvcError
   * `forbidden` for a job of another type than `self-update`, `bad-argument`.
   */
  evidence(query: EvidenceQuery): Promise<JobEvidence>;
  /**
   * Resolves and parses a workflow of the job's overlay; throws SvcError `workflow-invalid` or
   * `not-found`.
   */
  workflow(path: string): Promise<WorkflowTable>;
  /**
   * Text of a memory file of the overlay (`memory/**.md` or CLAUDE.md); without a path the list of
   * them.
   */
  memory(path: string | null): Promise<{ path: string; text: string } | { files: string[] }>;
}

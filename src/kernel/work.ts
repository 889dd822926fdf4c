import type { DurableEvent } from './chart.ts';
import type { CommitNotice, KernelError, Submission, SubmitResult } from './contract.ts';
import type { Batch, OutboxRow, TimerRow } from './writer.ts';

/** A submission plus the kernel's own bookkeeping in the same commit. */
export interface Work extends Submission {
  /** The effect with this outcome; its row is removed. */
  effectDone?: string;
  /** Submitted before and failed: if it was written all the same, only the row is removed. */
  again?: boolean;
  outbox?: OutboxRow[];
  /** The message that this delivers; its row is deleted. */
  mailDone?: string;
  /** A fired timer; ignored if cancelled or replaced meanwhile. */
  timer?: TimerRow;
  /** The kernel's own lines in actors' journals. */
  notes?: { actor: string; event: DurableEvent }[];
}

/** A work's outcome: `submitted` is written even if `failed` says that a part was refused. */
export interface AppliedWork {
  submitted: SubmitResult;
  failed?: KernelError;
}

export interface CommittedWork {
  batch: Batch;
  notice: CommitNotice;
  /** Effects to start now. */
  effects: OutboxRow[];
}

/** Queues work; answers after the commit. Rejects with KernelError. */
export type Submit = (work: Work) => Promise<SubmitResult>;

/** Receives errors without a caller. */
export type Report = (where: string, error: unknown) => void;

export const readThrownMessage = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);

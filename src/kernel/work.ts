import type { DurableEvent } from './chart.ts';
import type { CommitNotice, KernelError, Submission, Submitted } from './contract.ts';
import type { Batch, OutboxRow, TimerRow } from './writer.ts';

/** A submission together with the kernel's own bookkeeping, which shares its commit. */
export interface Work extends Submission {
  /** An effect whose outcome this is; its row goes. */
  effectDone?: string;
  /** That was submitted before, and failed: where it was written all the same, only the row goes. */
  again?: boolean;
  /** Effects whose run counters change. */
  outbox?: OutboxRow[];
  /** A message that this delivers; its row is deleted. */
  mailDone?: string;
  /** A timer that fired; nothing happens where it has been cancelled or replaced meanwhile. */
  timer?: TimerRow;
  /** Lines of the kernel's own in actors' journals. */
  notes?: { actor: string; event: DurableEvent }[];
}

/**
 * The outcome of a work: what is in `submitted` is written even where `failed` says that a part was
 * refused with an error.
 */
export interface AppliedWork {
  submitted: Submitted;
  failed?: KernelError;
}

/** What a commit has brought about. */
export interface CommittedWork {
  batch: Batch;
  notice: CommitNotice;
  /** Effects to start now. */
  effects: OutboxRow[];
}

/** Queues work; answers after the commit. Rejects with KernelError. */
export type Submit = (work: Work) => Promise<Submitted>;

/** Receives errors that have no caller. */
export type Report = (where: string, error: unknown) => void;

export const readThrownMessage = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);

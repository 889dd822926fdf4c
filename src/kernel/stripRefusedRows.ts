import { KernelError } from './contract.ts';
import type { Work } from './work.ts';

/**
 * An error that lies in the rows of one work and not in the store. A store marks what its `commit` throws
 * or rejects with so: nothing of the batch was written, and without that work it can be.
 */
export interface RefusedRows extends Error {
  isOfRows: true;
}

export const isOfRows = (error: unknown): error is RefusedRows =>
  error instanceof Error && 'isOfRows' in error && error.isOfRows === true;

/** The refusal of an event, or of a submission, whose rows the store cannot take. */
export const createRowsRefusal = (problem: string): KernelError =>
  new KernelError(
    'chart-error',
    `The state cannot store this: ${problem}`,
    Object.assign(new Error(problem), { isOfRows: true as const }),
  );

/** The refusal of what a step threw. Throws what says something about the store and not about the event. */
export function toRefusal(thrown: unknown): KernelError {
  if (thrown instanceof KernelError) return thrown;
  // JSON that is nested more deeply than the stack.
  if (thrown instanceof RangeError) return createRowsRefusal(thrown.message);
  throw thrown;
}

/** Whether a kernel's error is such a refusal. */
export const isRowsRefused = (error: KernelError): boolean => isOfRows(error.cause);

/**
 * What is written of a work whose rows were refused: a note for each event, and what the kernel itself
 * has to keep. An effect stays pending: its chart is to be given something else instead.
 */
export function stripRefusedRows(work: Work, error: KernelError): Work {
  const { timer, mailDone, effectDone, outbox, sends = [], notes = [] } = work;
  const refused = sends.map(({ to, event }) => ({
    actor: to,
    event: { type: 'kernel.chartError', event: event.type, error: error.message },
  }));
  return {
    notes: [...notes, ...refused],
    ...(effectDone === undefined && timer !== undefined ? { timer } : {}),
    ...(effectDone === undefined && mailDone !== undefined ? { mailDone } : {}),
    ...(outbox === undefined ? {} : { outbox }),
  };
}

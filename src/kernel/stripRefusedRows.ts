import { KernelError } from './contract.ts';
import type { Work } from './work.ts';

/**
 * An error of one work's rows, not of the store; the store marks what `commit` throws or rejects
 * with. Nothing was written, and without that work the batch can be.
 */
export interface RefusedRows extends Error {
  isOfRows: true;
}

export const isOfRows = (error: unknown): error is RefusedRows =>
  error instanceof Error && 'isOfRows' in error && error.isOfRows === true;

export const createRowsRefusal = (problem: string): KernelError =>
  new KernelError(
    'chart-error',
    `The state cannot store this: ${problem}`,
    Object.assign(new Error(problem), { isOfRows: true as const }),
  );

/** Turns a step's error into a refusal. Rethrows what concerns the store and not the event. */
export function toRefusal(thrown: unknown): KernelError {
  if (thrown instanceof KernelError) return thrown;
  // JSON nested too deeply for the stack.
  if (thrown instanceof RangeError) return createRowsRefusal(thrown.message);
  throw thrown;
}

export const isRowsRefused = (error: KernelError): boolean => isOfRows(error.cause);

/**
 * What is written of a work with refused rows: a note per event, and the kernel's own records. An
 * effect stays pending, to give its chart something else.
 */
export function stripRefusedRows(work: Work, error: KernelError): Work {
  const { timer, mailDone, effectDone, outbox, sends = [], notes = [] } = work;
  const errorEvents = sends.map(({ to, event }) => ({
    actor: to,
    event: { type: 'kernel.chartError', event: event.type, error: error.message },
  }));
  return {
    notes: [...notes, ...errorEvents],
    ...(effectDone === undefined && timer !== undefined ? { timer } : {}),
    ...(effectDone === undefined && mailDone !== undefined ? { mailDone } : {}),
    ...(outbox === undefined ? {} : { outbox }),
  };
}

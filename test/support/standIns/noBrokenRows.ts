import type { BrokenRowNotes } from '../../../src/contract/runner/runner.ts';

/** A surface whose replies leave no stored row out. */
export const noBrokenRows: BrokenRowNotes = {
  collectBroken: (run) => ({ value: run(), listMet: () => [] }),
};

import { checkPair, type PairDoubt } from '../../../kernel/sqlite/pair/checkPair.ts';

/** Why a state must not be opened as it is; null = it may be, or does not exist. No process holds it. */
export function findFileDoubt(stateDb: string): PairDoubt | null {
  const doubt = checkPair(stateDb);
  return doubt === null || doubt.doubt === 'database-gone' ? null : doubt;
}

import type { ShownTurn } from './turnParts.ts';

/**
 * Whether the message of a turn can be asked again by a click: it was not answered to its end, and
 * no later message is the same. One that a person has stopped only as long as it is the last.
 */
export function canAskAgain(turns: readonly ShownTurn[], index: number): boolean {
  const turn = turns[index];
  if (!turn) return false;
  const later = turns.slice(index + 1);
  if (turn.state === 'interrupted') return later.length === 0;
  if (turn.state !== 'lost' && turn.state !== 'failed') return false;
  return later.every(({ message }) => message !== turn.message);
}

/** How a turn ended, as the executor or a stop says it. */
export type TurnEnd =
  | 'end'
  | 'rounds'
  | 'cut'
  | 'refusal'
  | 'interrupted'
  | 'quota'
  | 'error'
  /** It was asked to stop and did not within its time: what it still says is dropped. */
  | 'overdue';

/**
 * What the chart asks of the runner and waits for: name → input. `src/intake/` provides them.
 */
export interface IntakePorts {
  /** Reads what the turn needs; resolves with whether the conversation fits into the window. */
  open: { turn: number };
  /** Shortens the conversation. Rejects where that frees too little to continue. */
  fold: { turn: number };
  /** Stores what the turn has brought, in one commit. */
  settle: { turn: number; end: TurnEnd };
}

/** What the chart asks of it without waiting for an answer, by the name of the action → params. */
export interface IntakeActs {
  /** Asks the model; tokens, look-ups and the end come as events. */
  ask: { turn: number };
}

export type TurnEnd =
  | 'end'
  | 'rounds'
  | 'cut'
  | 'refusal'
  | 'interrupted'
  | 'quota'
  | 'error'
  /** The executor did not stop within its time; what it still says is dropped. */
  | 'overdue';

/** What the chart asks of the runner and waits for: name → input. `src/intake/` provides it. */
export interface IntakePorts {
  /** Reads what the turn needs; resolves with whether the conversation fits the model's window. */
  open: { turn: number };
  /** Shortens the conversation. Rejects where that frees too little to continue. */
  fold: { turn: number };
  settle: { turn: number; end: TurnEnd };
}

/** What the chart asks of the runner without waiting for an answer: action → params. */
export interface IntakeActs {
  /** Asks the model; the answer comes as events. */
  ask: { turn: number };
}

/** Why a turn is over, in the words of the agents. */
export type TurnStop = 'end_turn' | 'interrupted' | 'tool_use' | 'pause_turn' | 'max_tokens' | 'max_turns' | 'refusal' | 'error';

/** After these the input stays open though nobody has said anything: the agent was not done. */
const UNDONE: ReadonlySet<TurnStop> = new Set(['interrupted', 'tool_use', 'pause_turn']);

export const staysOpen = (stopReason: TurnStop | null): boolean => stopReason !== null && UNDONE.has(stopReason);

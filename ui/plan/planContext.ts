import { createContext, useContext } from 'solid-js';
import type { Investigation } from '../../src/contract/schema/planning/intake.ts';
import type { ConversationView } from './conversation.ts';

/** What every part of the open conversation has. */
export interface PlanView {
  conversation: ConversationView;
  /** As it was read last; null = nothing is stored yet. */
  investigation: () => Investigation | null;
  /** Sends a message; true when the runner has stored it. */
  say: (message: string) => Promise<boolean>;
  /**
   * Does something with the stored conversation and reads it again; reports the outcome. True when
   * it was taken.
   */
  act: (says: string, send: () => Promise<unknown>) => Promise<boolean>;
}

const PlanContext = createContext<PlanView>();
export const PlanProvider = PlanContext.Provider;

/** The open conversation. */
export function usePlan(): PlanView {
  const view = useContext(PlanContext);
  if (!view) throw new Error('This component is used outside of a conversation.');
  return view;
}

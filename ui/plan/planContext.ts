import { createContext, useContext } from 'solid-js';
import type { Investigation } from '../../src/contract/schema/planning/intake.ts';
import type { ConversationView } from './conversation.ts';

export interface PlanView {
  conversation: ConversationView;
  /** As it was read last; null = nothing is stored yet. */
  investigation: () => Investigation | null;
  /** Sends a message; true when the runner has stored it. */
  say: (message: string) => Promise<boolean>;
  /** Changes the stored conversation, reads it again and reports; true = it was accepted. */
  act: (says: string, send: () => Promise<unknown>) => Promise<boolean>;
}

const PlanContext = createContext<PlanView>();
export const PlanProvider = PlanContext.Provider;

export function usePlan(): PlanView {
  const view = useContext(PlanContext);
  if (!view) throw new Error('This component is used outside of a conversation.');
  return view;
}

import type { StateValue } from 'xstate';

/** One transition out of the current state. */
export interface WayOut {
  event: string;
  /** Who can send the event, from the chart's `senders`. */
  from: string;
  /** Dotted path of the state it leads to; null = it stays where it is. */
  target: string | null;
  /** `depends`: a guard reads the event, so it is unknown before the event arrives. */
  open: boolean | 'depends';
  guards: { name: string; says: string; value: boolean | 'depends' }[];
}

/** The answer to "why is it here, and what would move it?" */
export interface Why {
  id: string;
  /** Dotted paths of the leaf states. */
  state: string[];
  /** Epoch ms. */
  since: number;
  /**
   * Sentences from the `waits` of the states' meta, outermost first; never empty for a parked
   * actor.
   */
  waitsFor: string[];
  waysOut: WayOut[];
  /** Effects that are running or will run again. */
  pendingEffects: { effectId: string; type: string; attempt: number }[];
  timers: { name: string; due: number }[];
}

/** What would happen: computed by pure transition, nothing executed, times and ids masked. */
export interface WhatIf {
  accepted: boolean;
  value: StateValue;
  tags: string[];
  status: 'active' | 'done';
  /** Top-level members of the context that would differ, with their new value. */
  changes: Record<string, unknown>;
  effects: { type: string; params: unknown }[];
}

/** Why an event was not taken. */
export interface Refusal {
  state: string[];
  /** Event types that could be taken here. */
  accepts: string[];
  /** Guards of this event that said no. */
  guards: { name: string; says: string }[];
}

export type SendResult =
  | { accepted: true; duplicate: boolean; seq: number }
  | { accepted: false; duplicate: boolean; refusal: Refusal };

import type { StateValue } from 'xstate';

export interface WayOut {
  event: string;
  /** Who can send the event, from the chart's `senders`. */
  from: string;
  /** Dotted path of the target state; null = the state stays. */
  target: string | null;
  /** `depends`: a guard reads the event, so it is not known in advance. */
  open: boolean | 'depends';
  guards: { name: string; says: string; value: boolean | 'depends' }[];
}

export interface Why {
  id: string;
  /** Dotted paths of the leaf states. */
  state: string[];
  /** Epoch ms. */
  since: number;
  /** Sentences from the states' meta `waits`, outermost first; never empty for a parked actor. */
  waitsFor: string[];
  waysOut: WayOut[];
  pendingEffects: { effectId: string; type: string; attempt: number }[];
  timers: { name: string; due: number }[];
}

/** What would happen: computed as a pure transition, with times and ids masked. */
export interface WhatIf {
  accepted: boolean;
  value: StateValue;
  tags: string[];
  status: 'active' | 'done';
  /** Top-level context members that would differ, with new values. */
  changes: Record<string, unknown>;
  effects: { type: string; params: unknown }[];
}

export interface Refusal {
  state: string[];
  /** Event types accepted in this state. */
  accepts: string[];
  /** Guards of this event that failed. */
  guards: { name: string; says: string }[];
}

export type SendResult =
  | { accepted: true; duplicate: boolean; seq: number }
  | { accepted: false; duplicate: boolean; refusal: Refusal };

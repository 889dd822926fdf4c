import type { WhatIfReply } from '../../src/contract/schema/api/replies.ts';
import type {
  ChartArrow,
  ChartNode,
  Machine,
  MachineReply,
} from '../../src/contract/schema/workflow/machine.ts';
import type { ChartItem } from './chartItems.ts';
import type { CountedRuns } from './countedRuns.ts';
import type { DraftFacts, EventDraft } from './eventDraft.ts';

export interface LeavingArrow {
  arrow: ChartArrow;
  source: ChartNode;
}

export interface ChartSideProps {
  machine: Machine;
  /** Whether events and states are called by their technical names. */
  technical: boolean;
  states: ReadonlyMap<string, ChartNode>;
  arrows: ReadonlyMap<string, LeavingArrow>;
  /** Paths of the current leaf states; empty = no running instance. */
  state: readonly string[];
  /** What the instance waits for; default: what the chart says of its states. */
  waits?: readonly string[] | undefined;
  open: MachineReply['open'];
  selected: ChartItem | null;
  select: (item: ChartItem | null) => void;
  facts: DraftFacts;
  /** Asks what an event would lead to; absent where no instance can be asked. */
  ask?: ((event: EventDraft) => Promise<WhatIfReply>) | undefined;
  predict: (paths: string[]) => void;
  /** Plays a step of a script; absent where nothing can be simulated. */
  simulate?: ((step: string) => void) | undefined;
  /** How often arrows were taken; null = the numbers are not shown. */
  runs: CountedRuns | null;
  /** Paths of the groups whose states are not drawn. */
  folded: ReadonlySet<string>;
  fold: (path: string, isFolded: boolean) => void;
}

import type { JobAnswer } from '../../../machines/index.ts';
import type { ProviderEventKind } from '../../contract/schema/forge/pr.ts';
import type { WorkItem } from '../../contract/schema/job/workItem.ts';

type StopReason = Extract<JobAnswer, { type: 'session.ended' }>['stopReason'];

export type AgentAct =
  | { do: 'plan'; text: string }
  | { do: 'work-items'; items: WorkItem[] }
  | { do: 'item'; id: string; status: WorkItem['status'] }
  | { do: 'open-pr'; title: string }
  | { do: 'push' | 'merge' }
  | { do: 'call'; operation: string }
  | { do: 'await'; kinds: string[] | null; resumePhase: string | null }
  | { do: 'goto'; phase: string }
  | { do: 'escalate'; text: string }
  | { do: 'new-session' }
  | { do: 'sub-runs'; names: string[] }
  | { do: 'end'; reason: StopReason };

type OtherAct =
  | { do: 'approve' | 'reject' | 'resume' | 'pause' | 'cancel' | 'stop' }
  | { do: 'message'; text: string }
  | { do: 'rerun'; phase: string }
  | { do: 'event'; kind: ProviderEventKind }
  | { do: 'sub-run'; name: string; outcome: 'complete' | 'failed' }
  | { do: 'wait'; ms: number }
  | { do: 'expect'; phase?: string; status?: string; state?: string; invariant?: string };

export type Act = AgentAct | OtherAct;

export interface Step {
  line: number;
  column: number;
  /** Only in this phase; null = as soon as possible. */
  in: string | null;
  /** The invariant that must refuse it; left out = it must be accepted. */
  refusedBy?: string;
  /** Delay before it, ms. */
  after: number;
  act: Act;
}

const AGENT_ACTS: readonly Act['do'][] = [
  ...([
    'plan',
    'work-items',
    'item',
    'open-pr',
    'push',
    'merge',
    'call',
    'await',
    'goto',
    'escalate',
    'new-session',
    'sub-runs',
    'end',
  ] as const),
];

export const isAgentAct = (act: Act): act is AgentAct => AGENT_ACTS.includes(act.do);

import type { IntakeEvent } from '../../machines/index.ts';
import type { Clock } from '../shared/time/clock.ts';
import type { Ids } from '../shared/system/ids/ids.ts';
import type { Ledger } from '../policy/usage/ledger.ts';
import type { IntakeFrame } from '../contract/schema/planning/intakeFrames.ts';
import type { ChatStore } from './chatStore.ts';
import type { IntakeParts, TurnPlace } from './intakeParts.ts';
import type { TurnAccount } from './turnAccount.ts';

/** What a turn works with. */
export interface TurnWorkDeps {
  store: ChatStore;
  /** What models have used. */
  ledger: Pick<Ledger, 'open'>;
  clock: Clock;
  ids: Ids;
  parts: IntakeParts;
  screen(text: string): string;
  /** Shows what a person would not see, such as HTML comments. */
  visible(text: string): string;
  toolsEnabled(): boolean;
  place(sessionId: string, turn: number): Promise<TurnPlace>;
  /** What its model's account allows one turn. */
  openTurnAccount(id: string | null): TurnAccount;
  onError(where: string, error: unknown): void;
}

/** To whom a turn reports. */
export interface TurnReports {
  /** A frame, after all text that came before. */
  tell(frame: IntakeFrame): void;
  /** A part of the answer; several are joined. */
  delta(type: 'token' | 'thinking', text: string): void;
  event(event: IntakeEvent): void;
}

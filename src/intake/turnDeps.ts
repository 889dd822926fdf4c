import type { IntakeEvent } from '../../machines/index.ts';
import type { Clock } from '../base/time/clock.ts';
import type { Ids } from '../base/system/ids/ids.ts';
import type { Ledger } from '../policy/usage/ledger.ts';
import type { IntakeFrame } from '../contract/schema/planning/intakeFrames.ts';
import type { ChatStore } from './chatStore.ts';
import type { IntakeParts, TurnPlace } from './intakeParts.ts';
import type { TurnAccount } from './turnAccount.ts';

export interface TurnWorkDeps {
  store: ChatStore;
  ledger: Pick<Ledger, 'open'>;
  clock: Clock;
  ids: Ids;
  parts: IntakeParts;
  screen(text: string): string;
  /** Shows what a person would not see, such as HTML comments. */
  visible(text: string): string;
  toolsEnabled(): boolean;
  place(sessionId: string, turn: number): Promise<TurnPlace>;
  openTurnAccount(id: string | null): TurnAccount;
  onError(where: string, error: unknown): void;
}

export interface TurnReports {
  /** Sends a frame after all earlier text. */
  tell(frame: IntakeFrame): void;
  /** Part of the answer; several are joined. */
  delta(type: 'token' | 'thinking', text: string): void;
  event(event: IntakeEvent): void;
}

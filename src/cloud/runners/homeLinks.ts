import type { LogHead, Frame, ReceivedFrame } from '../../contract/channel/frames.ts';
import type { TransactionSql } from '../database/database.ts';
import type { RunnerRow } from './runnerRows.ts';

/** Where the log of a home is when its runner connects. */
export interface EnteredHome {
  home: LogHead & { takeoverMs: number; takesRows: true };
}

/** How the log of one home uses a socket. */
export interface HomeSocket {
  send(frame: Frame<'committed' | 'refused'>): void;
  /** Whether its runner is still connected over it. */
  isOpen(): boolean;
  /** What the runner sends stays unread until `resume`. */
  pause(): void;
  resume(): void;
}

/** The log of one home over one socket. */
export interface HomeLink {
  /** Throws SvcError `malformed` for a frame out of order. */
  take(frame: ReceivedFrame<'commit' | 'commitPart'>): void;
  close(): void;
}

/** What the sockets of runners know of homes. */
export interface HomeLinks {
  /** Whether an answered beat lets a runner of this node act on the world. */
  mayGrantLease(): boolean;
  /**
   * Reads the log of the home in the transaction of the hello; null = the home has none. Throws SessionRefusal
   * `fenced` where another runner continues the home.
   */
  enter(
    sql: TransactionSql,
    runner: RunnerRow,
    hello: ReceivedFrame<'hello'>,
  ): Promise<EnteredHome | null>;
  open(runner: RunnerRow, enteredHome: EnteredHome, socket: HomeSocket): HomeLink;
  /** A runner has answered whether it takes over a home. */
  takeAnswer(adopterId: string, answer: ReceivedFrame<'adoptAnswer'>): void;
}

import { createHash } from 'node:crypto';
import type { SessionMessage } from '../../contract/session/executor.ts';

type State = 'sent' | 'delivered' | 'acknowledged' | 'answered';

interface SentMessage {
  /** Ids of the messages that were sent as one. */
  ids: readonly string[];
  state: State;
  /** Whether it began a turn. Others are delivered when the program reports it. */
  begins: boolean;
}

/** Uuid of messages within one session, by which the program reports on them. */
export function deriveMessageUuid(salt: string, messages: readonly SessionMessage[]): string {
  const hex = createHash('sha256')
    .update([salt, ...messages.map(({ id }) => id)].join('\0'))
    .digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

/**
 * The outcome of a session's messages. The input may be closed only when each is answered: one that
 * was sent during the last words of a turn begins another turn, so the result before that is not
 * the last.
 */
export class Delivery {
  readonly #sent = new Map<string, SentMessage>();
  readonly #tell: (id: string, state: 'delivered' | 'acknowledged') => void;

  constructor(tell: (id: string, state: 'delivered' | 'acknowledged') => void) {
    this.#tell = tell;
  }

  get isEmpty(): boolean {
    return [...this.#sent.values()].every(({ state }) => state === 'answered');
  }

  /** Records messages that are sent as one. `begins`: no turn runs, so they begin one. */
  recordSent(uuid: string, messages: readonly SessionMessage[], begins: boolean): void {
    this.#sent.set(uuid, { ids: messages.map(({ id }) => id), state: 'sent', begins });
  }

  /** The program has put the message into the conversation. */
  noteDelivered(uuid: string): void {
    const one = this.#sent.get(uuid);
    if (one) this.#deliver(one);
  }

  /** The model has begun to answer everything delivered before, and what began the turn. */
  answerBegun(): void {
    for (const one of this.#sent.values()) {
      if (one.begins) this.#deliver(one);
      this.#acknowledge(one);
    }
  }

  /**
   * Ends a turn: it has answered what was delivered. `reports`: the program reports on single
   * messages; without, the end of a turn, also of one that failed before the model answered, ends
   * what began it.
   */
  turnOver(reports: boolean): void {
    for (const one of this.#sent.values()) {
      if (one.state !== 'sent' || (one.begins && !reports)) one.state = 'answered';
    }
  }

  #deliver(one: SentMessage): void {
    if (one.state !== 'sent') return;
    one.state = 'delivered';
    for (const id of one.ids) this.#tell(id, 'delivered');
  }

  #acknowledge(one: SentMessage): void {
    if (one.state !== 'delivered') return;
    one.state = 'acknowledged';
    for (const id of one.ids) this.#tell(id, 'acknowledged');
  }
}

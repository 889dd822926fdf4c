import { CHAT_IDLE_MS, CHATS_BYTES } from '../base/limits/intakeLimits.ts';
import type { Clock } from '../base/time/clock.ts';

/** What {@link HotChats} needs to know about a conversation in memory. */
interface HotChat {
  /** Approximate. */
  bytes: number;
  /** A turn is running, or someone is watching. */
  isBusy: boolean;
  close(): Promise<void>;
}

interface HotChatsOptions<Chat extends HotChat> {
  clock: Clock;
  make(id: string): Chat;
  /** Default: {@link CHATS_BYTES}. */
  maxBytes?: number;
}

/**
 * The conversations in memory; all of them are also stored. Forgets those unused for {@link
 * CHAT_IDLE_MS}, and the least recently used while the total exceeds {@link CHATS_BYTES}.
 */
export class HotChats<Chat extends HotChat> {
  readonly #options: HotChatsOptions<Chat>;
  /** Least recently used first. */
  readonly #chats = new Map<string, { chat: Chat; usedAt: number }>();
  #cancelSweep: (() => void) | null = null;

  constructor(options: HotChatsOptions<Chat>) {
    this.#options = options;
  }

  get size(): number {
    return this.#chats.size;
  }

  get bytes(): number {
    return [...this.#chats.values()].reduce((sum, { chat }) => sum + chat.bytes, 0);
  }

  find(id: string): Chat | undefined {
    return this.#chats.get(id)?.chat;
  }

  use(id: string): Chat {
    const { clock, make } = this.#options;
    const chat = this.#chats.get(id)?.chat ?? make(id);
    this.#chats.delete(id);
    this.#chats.set(id, { chat, usedAt: clock.now() });
    this.#arm();
    return chat;
  }

  shrink(): void {
    const { maxBytes = CHATS_BYTES } = this.#options;
    let bytes = this.bytes;
    for (const [id, { chat }] of [...this.#chats]) {
      if (bytes <= maxBytes) return;
      if (chat.isBusy) continue;
      bytes -= chat.bytes;
      this.#forget(id);
    }
  }

  async remove(id: string): Promise<void> {
    const chat = this.find(id);
    await chat?.close();
    if (this.find(id) === chat) this.#chats.delete(id);
  }

  async closeAll(): Promise<void> {
    this.#cancelSweep?.();
    await Promise.all([...this.#chats.keys()].map((id) => this.remove(id)));
  }

  #forget(id: string): void {
    const chat = this.find(id);
    this.#chats.delete(id);
    void chat?.close();
  }

  #sweep(): void {
    this.#cancelSweep = null;
    const now = this.#options.clock.now();
    for (const [id, { chat, usedAt }] of [...this.#chats])
      if (!chat.isBusy && now - usedAt >= CHAT_IDLE_MS) this.#forget(id);
    this.#arm();
  }

  #arm(): void {
    const [first] = this.#chats.values();
    if (!first || this.#cancelSweep !== null) return;
    const { clock } = this.#options;
    const due = Math.max(first.usedAt + CHAT_IDLE_MS, clock.now() + CHAT_IDLE_MS / 12);
    this.#cancelSweep = clock.at(due, () => this.#sweep());
  }
}

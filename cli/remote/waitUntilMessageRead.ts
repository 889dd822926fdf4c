import type { Client } from '../../src/api/client/client.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import type { MessageReceipt, MessageState } from '../../src/contract/schema/session/message.ts';
import type { ExitCode } from '../exitCodes.ts';
import type { Io } from '../io.ts';

/** How often the receipt is polled, ms. */
const LOOK_MS = 250;

const FINAL: Readonly<Partial<Record<MessageState, ExitCode>>> = {
  acknowledged: 0,
  superseded: 1,
  expired: 1,
};

/** Waits until an agent has read the message, none will any more, the time is over, or Ctrl-C. */
export async function waitUntilMessageRead(
  client: Pick<Client, 'messages'>,
  jobId: string,
  messageId: string,
  timeoutMs: number | null,
  io: Pick<Io, 'after' | 'onInterrupt'>,
): Promise<{ receipt: MessageReceipt; code: ExitCode }> {
  let gaveUp: ExitCode | null = null;
  const releasers = [
    io.onInterrupt(() => {
      gaveUp = 130;
    }),
    timeoutMs === null
      ? () => {}
      : io.after(timeoutMs, () => {
          gaveUp = 8;
        }),
  ];
  try {
    for (;;) {
      const [receipt] = (await client.messages(jobId, { id: messageId })).messages;
      if (!receipt) throw new SvcError('not-found', `${jobId} has no message ${messageId}.`);
      const code = FINAL[receipt.state] ?? gaveUp;
      if (code !== null) return { receipt, code };
      await new Promise<void>((resolve) => void io.after(LOOK_MS, resolve));
    }
  } finally {
    for (const release of releasers) release();
  }
}

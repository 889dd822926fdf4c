import type { ChildProcess } from 'node:child_process';
import type Type from 'typebox';
import { Check } from 'typebox/value';

export interface Channel {
  /** A message to a process that is gone is lost. */
  send(message: object): void;
  onMessage(take: (message: unknown) => void): void;
  /** Called once, when the other side is gone. */
  onGone(run: () => void): void;
  /** Lets the process end although the channel is open. */
  close(): void;
}

/** Node's channel of a process: of this one to its parent, or of a child to this one. */
export function processChannel(end: NodeJS.Process | ChildProcess): Channel {
  return {
    send(message) {
      if (end.connected) end.send?.(message);
    },
    onMessage: (take) => void end.on('message', take),
    onGone: (run) => void end.once('disconnect', run),
    close() {
      if (end.connected) end.disconnect?.();
    },
  };
}

/** The message, if it is one of the schema; a later build may say things that this one does not know. */
export const parseMessage = <Schema extends Type.TSchema>(
  schema: Schema,
  message: unknown,
): Type.Static<Schema> | null => (Check(schema, message) ? message : null);

import type { SessionMessage } from '../../contract/session/executor.ts';

/** How a developer's message reads to an agent. */
export const formatDeveloperMessage = (text: string): string => `[DEVELOPER MESSAGE]\n${text}`;

/** An agent that only answers a message would end its turn, and with it the phase. */
const CONTINUE =
  '[svc] A developer wrote this while you work. Heed it, then continue with the phase where you stopped. End your turn only when the phase is done, or when the message asks you to stop.';

/** Messages that are sent together, the last one with what the agent is to do after them. */
export const appendReminder = (messages: readonly SessionMessage[]): SessionMessage[] =>
  messages.map((message, at) =>
    at < messages.length - 1 ? message : { ...message, text: `${message.text}\n\n${CONTINUE}` },
  );

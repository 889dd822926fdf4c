import type { Io } from '../io.ts';
import { toPrintableLine } from '../render/text/toPrintable.ts';

/** The person has pressed Ctrl-C or Ctrl-D at a question. */
export class PromptStopped extends Error {}

/** Asks the person at the terminal; every question can be answered with Enter. */
export interface Prompt {
  /** What was typed, without blanks around it. Throws {@link PromptStopped}. */
  text(question: string): Promise<string>;
  /** The same without showing it. */
  secret(question: string): Promise<string>;
  say(line: string): void;
}

/** null where no person is at a terminal. */
export function createPrompt({ ask, err }: Pick<Io, 'ask' | 'err'>): Prompt | null {
  if (ask === null) return null;
  const answer = async (question: string, hidden: boolean): Promise<string> => {
    const answer = await ask(`${toPrintableLine(question)} `, hidden);
    if (answer === null) throw new PromptStopped();
    return answer.trim();
  };
  return {
    text: (question) => answer(question, false),
    secret: (question) => answer(question, true),
    say: (line) => err(`${toPrintableLine(line)}\n`),
  };
}

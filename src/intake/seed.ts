import { MAX_SEED_CHARS } from '../base/limits/intakeLimits.ts';
import { SvcError } from '../base/errors/errors.ts';
import type { ChatRole, IntakeBody } from '../contract/schema/planning/intake.ts';
import { createTurnRow, type TurnRow } from './investigationRows.ts';

export type SeedEntry = { role: ChatRole; content: string };

export interface SeedTurn {
  message: string;
  answer: string;
}

export interface IntakeMessage {
  message: string;
  seed: SeedTurn[];
}

/**
 * Entries as turns: answers belong to the message before them, and several in a row are joined.
 * Entries before the first message and entries without text are dropped.
 */
export function toSeedTurns(entries: readonly SeedEntry[]): SeedTurn[] {
  const turns: SeedTurn[] = [];
  for (const { role, content } of entries) {
    // No endpoint accepts a message without text.
    if (content.trim() === '') continue;
    const last = turns.at(-1);
    if (role === 'user') turns.push({ message: content, answer: '' });
    else if (last) last.answer = last.answer === '' ? content : `${last.answer}\n\n${content}`;
  }
  return turns;
}

/**
 * Reads a request. With `messages` alone, the last user entry is the message. Throws SvcError
 * `invalid`, `too-large`.
 */
export function parseIntakeMessage({ message, messages, transcript }: IntakeBody): IntakeMessage {
  const entries = messages ?? transcript ?? [];
  const chars = entries.reduce((sum, { content }) => sum + content.length, 0);
  if (chars > MAX_SEED_CHARS)
    throw new SvcError(
      'too-large',
      `The earlier turns have ${chars} characters; at most ${MAX_SEED_CHARS} are taken.`,
    );
  const turns = toSeedTurns(entries);
  const last = turns.at(-1);
  if (message !== undefined && message.trim() !== '') {
    // A client may already have noted the message that it is about to send.
    const isRepeat = last?.message === message && last.answer === '';
    return { message, seed: isRepeat ? turns.slice(0, -1) : turns };
  }
  if (message !== undefined || last === undefined)
    throw new SvcError(
      'invalid',
      'The request is empty: give "message", or "messages" with a user entry.',
    );
  return { message: last.message, seed: turns.slice(0, -1) };
}

/**
 * Turns that the runner has not recorded: those of the seed after the stored ones, if it begins
 * with them. The stored turns count; a seed that differs is ignored.
 */
export function listMissingTurns(
  storedTurns: readonly Pick<TurnRow, 'message'>[],
  seed: readonly SeedTurn[],
): SeedTurn[] {
  const fits = storedTurns.every(({ message }, index) => seed[index]?.message === message);
  return fits ? seed.slice(storedTurns.length) : [];
}

/** Numbered from `first` on. */
export const buildSeedRows = (
  investigation: string,
  turns: readonly SeedTurn[],
  { first, at }: { first: number; at: number },
): TurnRow[] =>
  turns.map(({ message, answer }, index) =>
    createTurnRow({
      investigation,
      n: first + index,
      at,
      ended_at: at,
      state: answer === '' ? 'lost' : 'done',
      message,
      answer,
      provider: '',
      model: null,
    }),
  );

import { MAX_SEED_CHARS } from '../shared/limits/intakeLimits.ts';
import { SvcError } from '../shared/errors/errors.ts';
import type { ChatRole, IntakeBody } from '../contract/schema/planning/intake.ts';
import { createTurnRow, type TurnRow } from './investigationRows.ts';

export type SeedEntry = { role: ChatRole; content: string };

/** A turn as a client remembers it. */
export interface SeedTurn {
  message: string;
  answer: string;
}

/** What the developer says now, and the turns before it as the client has them. */
export interface IntakeMessage {
  message: string;
  seed: SeedTurn[];
}

/**
 * Entries as turns: what an assistant says belongs to the message before it, and several answers in
 * a row are one. What comes before the first message belongs to none, an entry without text says
 * nothing.
 */
export function toSeedTurns(entries: readonly SeedEntry[]): SeedTurn[] {
  const turns: SeedTurn[] = [];
  for (const { role, content } of entries) {
    // No endpoint takes a message without text.
    if (content.trim() === '') continue;
    const last = turns.at(-1);
    if (role === 'user') turns.push({ message: content, answer: '' });
    else if (last) last.answer = last.answer === '' ? content : `${last.answer}\n\n${content}`;
  }
  return turns;
}

/**
 * What a request says. With `messages` alone, its last entry of a user is the message. Throws
 * SvcError `invalid`, `too-large`.
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
    // A client may have written down already what it is about to say.
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
 * Turns that the runner has not recorded: those of the seed after the stored ones, where it begins
 * with them. What is stored counts; a seed that tells it differently is not taken.
 */
export function listMissingTurns(
  stored: readonly Pick<TurnRow, 'message'>[],
  seed: readonly SeedTurn[],
): SeedTurn[] {
  const fits = stored.every(({ message }, index) => seed[index]?.message === message);
  return fits ? seed.slice(stored.length) : [];
}

/** Rows of such turns, numbered from `first` on. */
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

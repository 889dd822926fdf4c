import { appendFile, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type ModelMessage, modelMessageSchema } from 'ai';
import { toErrorMessage } from '../../shared/errors/errors.ts';
import { screenTexts } from '../../shared/secrets/screenSecrets.ts';
import type { ConversationLog } from './conversation.ts';

const FILE = 'transcript.jsonl';

/** Id of a conversation: the name of its session's folder. */
const resolveTranscriptPath = (sessionDir: string, id: string): string | null =>
  /^[\w.-]+$/.test(id) && !/^\.+$/.test(id) ? join(dirname(sessionDir), id, FILE) : null;

/**
 * Messages of a transcript, up to the first line that is not whole: the runner may have ended in
 * the middle of one.
 */
function parseTranscript(text: string): ModelMessage[] {
  const found: ModelMessage[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    try {
      found.push(modelMessageSchema.parse(JSON.parse(line)));
    } catch {
      break;
    }
  }
  return found;
}

/** The conversation of the session that `id` names; null where it cannot be found any more. */
export async function readTranscript(
  sessionDir: string,
  id: string,
): Promise<ModelMessage[] | null> {
  const file = resolveTranscriptPath(sessionDir, id);
  const text = file === null ? null : await readFile(file, 'utf8').catch(() => null);
  const messages = parseTranscript(text ?? '');
  return messages.length === 0 ? null : messages;
}

/**
 * Writes down a conversation, a message a line (JSON), secrets taken out, in a file that only we
 * can read.
 */
export class Transcript implements ConversationLog {
  /** Under which the conversation can be continued. */
  readonly id: string;
  readonly #file: string;
  readonly #screen: (text: string) => string;
  readonly #onLost: (error: string) => void;
  /** Writes follow each other: a line is never in the middle of another. */
  #written: Promise<unknown>;

  /** Starts over with these messages: those of an earlier session that continues, or none. */
  constructor(
    sessionDir: string,
    earlier: readonly ModelMessage[],
    { screen, onLost }: { screen(text: string): string; onLost(error: string): void },
  ) {
    this.id = basename(sessionDir);
    this.#file = join(sessionDir, FILE);
    this.#screen = screen;
    this.#onLost = onLost;
    this.#written = this.#begin(earlier).catch((error: unknown) => onLost(toErrorMessage(error)));
  }

  add(message: ModelMessage): void {
    this.#written = this.#written
      .then(() => appendFile(this.#file, this.#line(message), { mode: 0o600 }))
      .catch((error: unknown) => this.#onLost(toErrorMessage(error)));
  }

  /** Resolves when all of it is on the disk. */
  written(): Promise<unknown> {
    return this.#written;
  }

  async #begin(earlier: readonly ModelMessage[]): Promise<void> {
    const draft = `${this.#file}.next`;
    await rm(draft, { force: true });
    // Exclusive: what an agent left under this name is not followed. Then renamed: a crash leaves
    // the old one or the new one.
    await writeFile(draft, earlier.map((message) => this.#line(message)).join(''), {
      mode: 0o600,
      flag: 'wx',
    });
    await rename(draft, this.#file);
  }

  #line(message: ModelMessage): string {
    return `${JSON.stringify(screenTexts(message, this.#screen))}\n`;
  }
}

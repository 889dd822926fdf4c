import { appendFile, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type ModelMessage, modelMessageSchema } from 'ai';
import { toErrorMessage } from '../../base/errors/errors.ts';
import { screenTexts } from '../../base/secrets/screenSecrets.ts';
import type { ConversationLog } from './conversation.ts';

const FILE = 'transcript.jsonl';

/** The id of a conversation is the name of its session's folder. */
const resolveTranscriptPath = (sessionDir: string, id: string): string | null =>
  /^[\w.-]+$/.test(id) && !/^\.+$/.test(id) ? join(dirname(sessionDir), id, FILE) : null;

/**
 * Messages of a transcript, up to the first incomplete line: the runner may have ended while
 * writing it.
 */
function parseTranscript(text: string): ModelMessage[] {
  const modelMessages: ModelMessage[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    try {
      modelMessages.push(modelMessageSchema.parse(JSON.parse(line)));
    } catch {
      break;
    }
  }
  return modelMessages;
}

/** The conversation of the session `id`; null if it no longer exists. */
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
 * Stores a conversation, one message a line (JSON), without secrets, in a file that only we can
 * read.
 */
export class Transcript implements ConversationLog {
  readonly id: string;
  readonly #file: string;
  readonly #screen: (text: string) => string;
  readonly #onLost: (error: string) => void;
  /** Writes follow each other, so that lines never mix. */
  #written: Promise<unknown>;

  /** Starts with the messages of the session that is continued, or none. */
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

  awaitWritten(): Promise<unknown> {
    return this.#written;
  }

  async #begin(earlier: readonly ModelMessage[]): Promise<void> {
    const draft = `${this.#file}.next`;
    await rm(draft, { force: true });
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

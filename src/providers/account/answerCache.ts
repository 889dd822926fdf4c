const MAX_ANSWERS = 1_000;
const MAX_CHARS = 16 * 1024 * 1024;

export interface KeptAnswer {
  etag: string;
  status: number;
  headers: [string, string][];
  text: string;
}

/**
 * Answers by address, so that the forge can say "not modified", which costs nothing. The least
 * recently used ones go first.
 */
export class AnswerCache {
  readonly #kept = new Map<string, KeptAnswer>();
  #chars = 0;

  get(key: string): KeptAnswer | undefined {
    const answer = this.#kept.get(key);
    if (answer) {
      this.#kept.delete(key);
      this.#kept.set(key, answer);
    }
    return answer;
  }

  keep(key: string, answer: KeptAnswer): void {
    this.#drop(key);
    if (answer.text.length > MAX_CHARS / 4) return;
    this.#kept.set(key, answer);
    this.#chars += answer.text.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAX_ANSWERS && this.#chars <= MAX_CHARS) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#chars -= this.#kept.get(key)?.text.length ?? 0;
    this.#kept.delete(key);
  }
}

/** The limits of the new answer with the other headers of the kept one. */
export const mergeFreshLimits = ({ headers }: KeptAnswer, fresh: Headers): Headers => {
  const all = new Headers(headers);
  for (const [name, value] of fresh) if (/^(x-)?ratelimit-/.test(name)) all.set(name, value);
  return all;
};

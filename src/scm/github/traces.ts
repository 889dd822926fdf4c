import type { PrAddress } from '../forge.ts';
import type { GithubClient } from './client.ts';
import { TRACED_AT_ONCE, tracesQuery } from './queries.ts';

/** What GitHub shows of pull requests may be this old, ms: a change is looked at again until that time has passed. */
export const CONSISTENCY_MS = 10_000;

const keyOf = ({ repo, number }: PrAddress): string => `${repo.toLowerCase()}#${number}`;

interface Trace {
  /** As text; null = not to be seen. */
  text: string;
  changedAt: number;
}

/**
 * Tells which pull requests have changed since they were read, with one request for a hundred of them. Forgets nothing of those
 * that are asked about; starts with everything as changed.
 */
export class Traces {
  readonly #client: GithubClient;
  readonly #known = new Map<string, Trace>();

  constructor(client: GithubClient) {
    this.#client = client;
  }

  /** They count as changed. */
  forget(prs: readonly PrAddress[]): void {
    for (const pr of prs) this.#known.delete(keyOf(pr));
  }

  /** Those to be read now; call `read` for each that was. */
  async changed(prs: readonly PrAddress[], now: number): Promise<{ pr: PrAddress; read(): void }[]> {
    const found: { pr: PrAddress; read(): void }[] = [];
    for (let from = 0; from < prs.length; from += TRACED_AT_ONCE) {
      const some = prs.slice(from, from + TRACED_AT_ONCE);
      const texts = await this.#ask(some);
      some.forEach((pr, n) => {
        const text = texts[n];
        if (text === undefined) return;
        const key = keyOf(pr);
        const before = this.#known.get(key);
        const trace = before?.text === text ? before : { text, changedAt: now };
        // Not remembered before it was read: a failure in between must not lose the change.
        if (trace !== before || now - trace.changedAt < CONSISTENCY_MS)
          found.push({ pr, read: () => this.#known.set(key, trace) });
        else if (trace.changedAt !== 0) found.push({ pr, read: () => this.#known.set(key, { text, changedAt: 0 }) });
      });
    }
    const wanted = new Set(prs.map(keyOf));
    for (const key of this.#known.keys()) if (!wanted.has(key)) this.#known.delete(key);
    return found;
  }

  /** One text each; undefined for one that is gone or may not be seen. */
  async #ask(prs: readonly PrAddress[]): Promise<(string | undefined)[]> {
    const variables: Record<string, string | number> = {};
    prs.forEach((pr, n) => {
      const { owner, repo } = this.#client.place(pr.repo);
      Object.assign(variables, { [`o${n}`]: owner, [`r${n}`]: repo, [`n${n}`]: pr.number });
    });
    const answer = await this.#client.run('the watched pull requests', async (octokit) => {
      try {
        return await octokit.graphql<Record<string, { pullRequest: unknown } | null>>(tracesQuery(prs.length), variables);
      } catch (error) {
        // Some of them are gone: the answer holds the others.
        const { data } = Object(error);
        if (data === null || typeof data !== 'object') throw error;
        return data as Record<string, { pullRequest: unknown } | null>;
      }
    });
    return prs.map((_, n) => {
      const pr = answer[`p${n}`]?.pullRequest;
      return pr == null ? undefined : JSON.stringify(pr);
    });
  }
}

import { type NodeProcess, startNodeProcess } from './startNodeProcess.ts';

/** Nodes that are killed and started again; a caller takes one that is up. */
export class KilledNodes {
  readonly #databaseUrl: string;
  readonly #up: NodeProcess[] = [];

  constructor(databaseUrl: string) {
    this.#databaseUrl = databaseUrl;
  }

  async start(): Promise<void> {
    this.#up.push(await startNodeProcess(this.#databaseUrl));
  }

  pick(dice: () => number): { url: string; ask: typeof fetch } {
    const one = this.#up[Math.floor(dice() * this.#up.length)];
    if (one === undefined) throw new Error('no node is up');
    return { url: one.url, ask: (path, init) => fetch(`${one.url}${path}`, init) };
  }

  /** Where the newest one is reached. */
  get url(): string {
    return this.#up.at(-1)?.url ?? '';
  }

  /** Where each of them is reached. */
  get urls(): string[] {
    return this.#up.map(({ url }) => url);
  }

  /** The one that has been up for longest. */
  async kill(): Promise<void> {
    await this.#up.shift()?.kill();
  }

  async end(): Promise<void> {
    while (this.#up.length > 0) await this.kill();
  }
}

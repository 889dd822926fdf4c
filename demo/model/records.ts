import type { Json } from './jsonBody.ts';
import type { Tokens } from './script.ts';

export type Outcome = 'answered' | 'failed' | 'disconnected';

export interface ModelRequest {
  /** From 1, in the order of arrival. */
  number: number;
  method: string;
  path: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Empty where there was none. */
  body: Json;
  /** Marker of the script that was played; null = no script was asked. */
  script: string | null;
  offered: readonly string[];
  /** HTTP status; 0 while nothing was answered. */
  status: number;
  /** Tokens that were reported to the client; null = none. */
  reported: Tokens | null;
  /** null while it runs. `disconnected` = the client left before the answer was complete. */
  outcome: Outcome | null;
}

/** Longest wait for a request, ms. */
const UNTIL_MS = 30_000;

interface Waiting {
  matches(request: ModelRequest): boolean;
  resolve(request: ModelRequest): void;
}

export class ModelRequests {
  readonly all: ModelRequest[] = [];
  #waiting: Waiting[] = [];

  /** Those that played a script: the side requests of agents are left out. */
  get played(): ModelRequest[] {
    return this.all.filter(({ script }) => script !== null);
  }

  /**
   * Resolves with the first request, past or to come, that matches; each request is checked again
   * whenever it changes. Rejects after 30 s without one.
   */
  until(matches: (request: ModelRequest) => boolean): Promise<ModelRequest> {
    const modelRequest = this.all.find(matches);
    if (modelRequest) return Promise.resolve(modelRequest);
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        const lines = this.all.map(({ method, path, script, status, outcome }) =>
          [method, path, script, status, outcome].join(' '),
        );
        reject(
          new Error(
            `no request in ${UNTIL_MS / 1000} s with ${matches}; so far:\n${lines.join('\n')}`,
          ),
        );
      }, UNTIL_MS);
      // A timer that is no longer needed must not keep the process alive.
      late.unref();
      this.#waiting.push({
        matches,
        resolve(request) {
          clearTimeout(late);
          resolve(request);
        },
      });
    });
  }

  add(request: Omit<ModelRequest, 'number' | 'outcome' | 'status' | 'reported'>): ModelRequest {
    const added: ModelRequest = {
      ...request,
      number: this.all.length + 1,
      outcome: null,
      reported: null,
      status: 0,
    };
    this.all.push(added);
    return added;
  }

  /** Tells those that wait that a request is new or has changed. */
  changed(request: ModelRequest): void {
    const fulfilled = this.#waiting.filter(({ matches }) => matches(request));
    this.#waiting = this.#waiting.filter((one) => !fulfilled.includes(one));
    for (const { resolve } of fulfilled) resolve(request);
  }
}

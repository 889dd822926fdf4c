import { once } from 'node:events';
import { WebSocket } from 'ws';

type Params = Readonly<Record<string, unknown>>;

interface Message {
  /** Of the command that it answers; events have none. */
  id?: number;
  type: 'success' | 'error' | 'event';
  result?: unknown;
  error?: string;
  message?: string;
  method?: string;
  params?: unknown;
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** A session of WebDriver BiDi, the protocol of the W3C that Firefox itself speaks. */
export class BiDiConnection {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners: ((method: string, params: unknown) => void)[] = [];
  #lastId = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => this.#take(JSON.parse(String(data))));
    socket.on('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the browser has ended'));
      this.#waiting.clear();
    });
  }

  /** `url`: what the browser prints when it listens. */
  static async open(url: string): Promise<BiDiConnection> {
    const socket = new WebSocket(`${url}/session`);
    await once(socket, 'open');
    const connection = new BiDiConnection(socket);
    await connection.send('session.new', { capabilities: {} });
    return connection;
  }

  onEvent(listener: (method: string, params: unknown) => void): void {
    this.#listeners.push(listener);
  }

  /** Resolves with the result of a command. Rejects with what the browser says, or when it ends. */
  send(method: string, params: Params): Promise<unknown> {
    const id = ++this.#lastId;
    this.#socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, {
        resolve,
        reject: (error) => reject(new Error(`${method}: ${error.message}`)),
      });
    });
  }

  #take({ id, type, result, error, message, method, params }: Message): void {
    if (type === 'event') {
      for (const listener of this.#listeners) listener(method ?? '', params);
      return;
    }
    const waiting = this.#waiting.get(id ?? 0);
    this.#waiting.delete(id ?? 0);
    if (type === 'success') waiting?.resolve(result);
    else waiting?.reject(new Error(`${error}: ${message}`));
  }
}

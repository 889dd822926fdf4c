import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The world: it sends a parcel once for each key, and counts the keys of an order. */
export class Carrier {
  /** Order → keys of its parcels. */
  readonly parcels = new Map<string, Set<string>>();
  /** Requests, with repeats. */
  requests = 0;
  readonly #server: Server;

  constructor() {
    this.#server = createServer(async (req, res) => {
      let body = '';
      for await (const part of req) body += part;
      const { effectId, order } = JSON.parse(body);
      this.requests += 1;
      const keys = this.parcels.get(order) ?? new Set();
      keys.add(effectId);
      this.parcels.set(order, keys);
      res.end('{}');
    });
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

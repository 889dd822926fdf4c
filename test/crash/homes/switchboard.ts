import { connect, createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** One address for several nodes, as a load balancer: each connection goes to one that is up. */
export class Switchboard {
  readonly #server: Server;
  readonly #nodes = new Set<string>();
  readonly #sockets = new Set<Socket>();
  #turn = 0;

  constructor() {
    this.#server = createServer((outer) => this.#join(outer));
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  add(node: string): void {
    this.#nodes.add(node);
  }

  remove(node: string): void {
    this.#nodes.delete(node);
  }

  /** Cuts every connection: what was on its way is lost. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.#server.close();
    this.cut();
  }

  #join(outer: Socket): void {
    const nodes = [...this.#nodes];
    this.#turn += 1;
    const node = nodes[this.#turn % Math.max(1, nodes.length)];
    outer.on('error', () => outer.destroy());
    if (node === undefined) {
      outer.destroy();
      return;
    }
    const inner = connect(Number(new URL(node).port), '127.0.0.1');
    inner.on('error', () => outer.destroy());
    for (const socket of [outer, inner]) {
      this.#sockets.add(socket);
      socket.once('close', () => {
        this.#sockets.delete(socket);
        outer.destroy();
        inner.destroy();
      });
    }
    outer.pipe(inner);
    inner.pipe(outer);
  }
}

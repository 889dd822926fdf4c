const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A command that was acknowledged, with the number that it was given. */
export interface Acknowledged {
  order: string;
  type: string;
  seq: number;
}

interface OrderReply {
  accepted: boolean;
  duplicate?: boolean;
  seq: number;
}

export interface StoredOrder {
  id: string;
  state: unknown;
  journal: { seq: number; type: string }[];
}

/** How long a client waits for an answer, ms. */
const ANSWER_MS = 20_000;
const AGAIN_MS = 30;

/** A client of the home: it repeats each request with the same key until it is acknowledged. */
export class Orders {
  readonly acknowledged: Acknowledged[] = [];
  readonly complete: string[] = [];
  readonly #findHome: () => string | null;
  #isOver = false;
  #failure: Error | null = null;

  constructor(findHome: () => string | null) {
    this.#findHome = findHome;
  }

  /** Resolves with the answer of the first process that gives one. */
  async ask(path: string, body: object): Promise<unknown> {
    for (;;) {
      if (this.#failure !== null) throw this.#failure;
      const home = this.#findHome();
      try {
        if (home !== null) {
          const reply = await fetch(`${home}${path}`, {
            method: 'POST',
            body: JSON.stringify(body),
            signal: AbortSignal.timeout(ANSWER_MS),
          });
          const answer = await reply.json();
          if (reply.ok) return answer;
        }
      } catch {
        // The process was killed, or does not answer.
      }
      await pause(AGAIN_MS);
    }
  }

  /** Makes one order after another until it is over; the last one is completed. */
  async work(worker: number): Promise<void> {
    for (let n = 0; !this.#isOver; n++) {
      const id = `order-${worker}-${n}`;
      await this.order(id);
      if (n % 5 === 4) await this.ask('/archive', { order: id });
    }
  }

  async order(id: string): Promise<void> {
    await this.ask('/submit', { starts: [{ chart: 'order', id, input: { id, price: 5 } }] });
    await this.#send(id, { type: 'add', item: `book ${'x'.repeat(1_000)}` });
    await this.#send(id, { type: 'pay', amount: 5 });
    await this.#send(id, { type: 'ship' });
    this.complete.push(id);
  }

  /** Nothing will answer any more. */
  fail(error: Error): void {
    this.#failure = error;
  }

  finish(): void {
    this.#isOver = true;
  }

  async read(): Promise<StoredOrder[]> {
    return (await this.ask('/orders', {})) as StoredOrder[];
  }

  async #send(to: string, event: { type: string; [key: string]: unknown }): Promise<void> {
    const send = { to, event, source: 'client', externalId: `${to} ${event.type}` };
    const { sends } = (await this.ask('/submit', { sends: [send] })) as { sends: OrderReply[] };
    const [outcome] = sends;
    if (outcome === undefined || !(outcome.accepted || outcome.duplicate))
      throw new Error(`${to} did not take ${event.type}: ${JSON.stringify(sends)}`);
    this.acknowledged.push({ order: to, type: event.type, seq: outcome.seq });
  }
}

const WHOLE = ['xstate.init', 'add', 'pay', 'ship', 'shipped'];

/** What is lost or doubled; empty = nothing. */
export function findOrderProblems(
  storedOrders: readonly StoredOrder[],
  { acknowledged, complete }: Orders,
  parcels: ReadonlyMap<string, ReadonlySet<string>>,
): string[] {
  const problems: string[] = [];
  const orders = new Map(storedOrders.map((order) => [order.id, order]));
  for (const { order, type, seq } of acknowledged) {
    const row = orders.get(order)?.journal.find((one) => one.seq === seq);
    if (row?.type !== type)
      problems.push(`${order}: ${type} was acknowledged as ${seq}, which is ${row?.type}`);
  }
  for (const id of complete) {
    const order = orders.get(id);
    const types = order?.journal.map(({ type }) => type) ?? [];
    if (types.join() !== WHOLE.join()) problems.push(`${id}: ${types.join()}`);
    if (order?.state !== 'closed') problems.push(`${id} is ${String(order?.state)}`);
    const parcelCount = parcels.get(id)?.size ?? 0;
    if (parcelCount !== 1) problems.push(`${id} was sent ${parcelCount} times`);
  }
  return problems;
}

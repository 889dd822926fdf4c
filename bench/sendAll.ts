import { HttpConnection } from './httpConnection.ts';

/** Requests on their way at the same time. */
export const SENDERS = 64;

export interface Load {
  rate: number;
  /** From the request to its reply, ms. */
  ms: number[];
}

/** Sends each request once, on busy connections. Throws at the first reply that is not 202. */
export async function sendAll(port: number, requests: readonly Buffer[]): Promise<Load> {
  const open = await Promise.all(Array.from({ length: SENDERS }, () => HttpConnection.open(port)));
  const ms: number[] = [];
  const start = performance.now();
  try {
    let next = 0;
    await Promise.all(
      open.map(async (connection) => {
        for (let request = requests[next++]; request; request = requests[next++]) {
          const sentAt = performance.now();
          await connection.ask(request);
          ms.push(performance.now() - sentAt);
        }
      }),
    );
    return { rate: (ms.length / (performance.now() - start)) * 1_000, ms };
  } finally {
    for (const connection of open) connection.close();
  }
}

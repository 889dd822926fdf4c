import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** One address in front of several nodes, as a proxy is: new connections go to the nodes that it leads to, by turns. */
export async function openSwitch(...firstUrls: string[]) {
  let goals = firstUrls.map((url) => new URL(url));
  let turn = 0;
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    turn += 1;
    const goal = goals[turn % goals.length];
    if (goal === undefined) {
      socket.destroy();
      return;
    }
    const there = connect({ host: goal.hostname, port: Number(goal.port) });
    for (const [from, to] of [
      [socket, there],
      [there, socket],
    ] as const) {
      open.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.once('close', () => {
        open.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lead(...urls: string[]): void {
      goals = urls.map((url) => new URL(url));
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

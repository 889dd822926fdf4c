import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** One address in front of several nodes, as a proxy is: new connections go where it leads to. */
export async function openSwitch(firstUrl: string) {
  let goal = new URL(firstUrl);
  const open = new Set<Socket>();
  const server = createServer((socket) => {
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
    lead(url: string): void {
      goal = new URL(url);
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

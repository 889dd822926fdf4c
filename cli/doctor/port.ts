import { createServer } from 'node:net';
import { ANSWER_MS, type Finding, toErrorFinding, toOkFinding } from './check.ts';

/** null = it can be taken; else the code of the error. */
const probePort = (host: string, port: number): Promise<string | null> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port }, () => server.close(() => resolve(null)));
  });

/** Whether what listens there talks like a runner, although it is not the one of this home. */
const isRunnerListening = async (host: string, port: number): Promise<boolean> => {
  try {
    const address = host.includes(':') ? `[${host}]` : host;
    const response = await fetch(`http://${address}:${port}/health`, {
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const body: unknown = await response.json();
    if (typeof body !== 'object' || body === null) return false;
    return (
      ('type' in body && String(body.type).startsWith('urn:svc:problem:')) ||
      ('version' in body && 'deprecatedUses' in body)
    );
  } catch {
    return false;
  }
};

/** `ours`: base URL of the runner of this home, where it answers. */
export async function checkPort(
  { host, port }: { host: string; port: number },
  ours: string | null,
): Promise<Finding> {
  if (ours !== null) return toOkFinding(`the runner of this home listens on ${ours}`);
  if (port === 0) return toOkFinding(`any free port of ${host}`);
  const why = await probePort(host, port);
  if (why === null) return toOkFinding(`port ${port} of ${host} is free`);
  if (why !== 'EADDRINUSE')
    return toErrorFinding(
      `svc cannot listen on port ${port} of ${host} (${why})`,
      'Change server.host and server.port in config.json.',
    );
  const who = (await isRunnerListening(host, port))
    ? 'a runner of another home'
    : 'another program';
  return toErrorFinding(
    `port ${port} of ${host} is in use by ${who}`,
    'Stop it, or choose another port: svc config set server.port <port>, or svc start --port <port>.',
  );
}

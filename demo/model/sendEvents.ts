import type { ServerResponse } from 'node:http';
import type { Step } from './script.ts';
import type { WireEvent } from './wires/wire.ts';

/** Resolves to false when the client has gone meanwhile. */
function waitUnlessGone(res: ServerResponse, ms: number): Promise<boolean> {
  if (res.destroyed) return Promise.resolve(false);
  if (ms === 0) return Promise.resolve(true);
  return new Promise((resolve) => {
    const onClose = () => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = setTimeout(() => {
      res.off('close', onClose);
      resolve(true);
    }, ms);
    res.once('close', onClose);
  });
}

const awaitClientClose = (res: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    if (res.destroyed) resolve();
    else res.once('close', resolve);
  });

export function sendJson(
  res: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  res.writeHead(status, { 'content-type': 'application/json', ...headers });
  res.end(JSON.stringify(body));
}

export const formatWireEvent = ({ event, data }: WireEvent): string =>
  `${event === null ? '' : `event: ${event}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

interface SendPace extends Pick<Step, 'waitMs' | 'everyMs' | 'hang' | 'headers'> {
  breaks?: boolean;
}

/** Waits before the first byte as the step says; false when nothing (more) is to be answered. */
export async function delayFirstByte(
  res: ServerResponse,
  { waitMs = 0, hang }: SendPace,
): Promise<boolean> {
  if (hang === 'at once') await awaitClientClose(res);
  return waitUnlessGone(res, waitMs);
}

/** Streams events at the step's pace; ends early when the client goes. Calls `onSent` after each. */
export async function sendEvents(
  res: ServerResponse,
  events: readonly WireEvent[],
  { everyMs = 0, hang, breaks = false, headers = {} }: SendPace,
  onSent: (event: WireEvent) => void,
): Promise<void> {
  const usual = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' };
  res.writeHead(200, { ...usual, ...headers });
  for (const event of events) {
    if (!(await waitUnlessGone(res, everyMs))) return;
    await new Promise((resolve) => {
      res.write(formatWireEvent(event), resolve);
    });
    onSent(event);
    // Closed and not reset, so that what was sent before still arrives.
    if (breaks && event.text) return void res.socket?.end();
    if (hang === 'midway' && event.text) return awaitClientClose(res);
  }
  res.end();
}

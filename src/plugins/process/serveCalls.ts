import { messageOf } from '../../lib/errors.ts';
import type { ScmForge } from '../../contract/scmForge.ts';
import type { Nudge, Report } from './protocol.ts';
import { sized } from './sizedAnswer.ts';

interface Line {
  send(report: Report): Promise<void>;
  onNudge(take: (nudge: Nudge) => void): void;
}

/** Makes calls of a forge as they come; never resolves, the runner ends the process. */
export function serveCalls(forge: ScmForge, { send, onNudge }: Line): Promise<never> {
  onNudge((nudge) => {
    if (nudge.nudge === 'call') void answer(forge, nudge, send);
  });
  return new Promise(() => {});
}

async function answer(
  forge: ScmForge,
  { n, call }: Extract<Nudge, { nudge: 'call' }>,
  send: Line['send'],
): Promise<void> {
  try {
    const method: unknown = Reflect.get(forge, call.method);
    if (typeof method !== 'function') throw new Error(`it has no ${call.method}()`);
    const value: unknown = await Reflect.apply(method, forge, call.args);
    await send({ report: 'called', n, value: sized(value ?? null) });
  } catch (error) {
    // The plugin's own errors are of no class that we know; the contract names the members.
    const { code = 'internal', retryAt } = Object(error);
    const at = Number.isFinite(retryAt) ? Number(retryAt) : null;
    const message = messageOf(error);
    await send({ report: 'refused', n, code: String(code), message, retryAt: at });
  }
}

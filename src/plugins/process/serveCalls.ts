import { toErrorMessage, SvcError } from '../../base/errors/errors.ts';
import type { Nudge, Report, LoginCall } from './protocol.ts';
import type { VendorLogin } from '../../contract/runner/vendorLogin.ts';

/** Calls one part of a plugin's login. Throws SvcError `not-possible-now` for a missing part. */
export async function callLoginPart(
  login: VendorLogin | undefined,
  { method, args }: LoginCall,
): Promise<unknown> {
  const part: unknown = login && Reflect.get(login, method);
  if (typeof part !== 'function')
    throw new SvcError('not-possible-now', `The plugin has no login.${method}().`);
  return Reflect.apply(part, login, args);
}

/** Largest answer of a plugin, characters as JSON. */
const MAX_ANSWER_CHARS = 16 * 1024 * 1024;

/** Returns the value; throws if it is too large for the runner to hold. */
export function checkAnswerSize(value: unknown): unknown {
  const size = JSON.stringify(value)?.length ?? 0;
  if (size > MAX_ANSWER_CHARS)
    throw new Error(`The answer has ${size} characters; the limit is ${MAX_ANSWER_CHARS}.`);
  return value;
}

interface Line {
  send(report: Report): Promise<void>;
  onNudge(take: (nudge: Nudge) => void): void;
}

/**
 * Makes calls of a forge or a decider as they come; never resolves, since the runner ends the
 * process. A decider gets a signal that is aborted when the time of its question is over.
 */
export function serveCalls(plugin: object, { send, onNudge }: Line): Promise<never> {
  onNudge((nudge) => {
    if (nudge.nudge === 'call') void answerCall(plugin, nudge, send);
  });
  return new Promise(() => {});
}

async function answerCall(
  plugin: object,
  { n, call }: Extract<Nudge, { nudge: 'call' }>,
  send: Line['send'],
): Promise<void> {
  try {
    const method: unknown = Reflect.get(plugin, call.method);
    if (typeof method !== 'function') throw new Error(`it has no ${call.method}()`);
    const args =
      call.method === 'decide'
        ? [...call.args, AbortSignal.timeout(call.args[0].deadlineMs)]
        : call.args;
    const value: unknown = await Reflect.apply(method, plugin, args);
    await send({ report: 'called', n, value: checkAnswerSize(value ?? null) });
  } catch (error) {
    // The plugin's errors have no class known here; the contract names the members.
    const { code = 'internal', retryAt } = Object(error);
    const at = Number.isFinite(retryAt) ? Number(retryAt) : null;
    const message = toErrorMessage(error);
    await send({ report: 'refused', n, code: String(code), message, retryAt: at });
  }
}

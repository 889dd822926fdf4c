import { SvcError } from '../../src/base/errors/errors.ts';
import type { Io } from '../io.ts';
import { readMachineName } from './authorizationRequest.ts';
import type { CloudPlace } from './cloudRequest.ts';
import { OauthRefusal, postForm, requestTokens, SCOPE, type Tokens } from './oauthTokens.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
/** Where the server names no interval, and what `slow_down` adds (RFC 8628, 3.2 and 3.5), s. */
const STEP_SECONDS = 5;

/** Logs in with a code that the person types into a browser anywhere (RFC 8628). */
export async function logInByDevice(
  place: CloudPlace & { io: Pick<Io, 'fetch' | 'after' | 'err'> },
): Promise<Tokens> {
  const { io } = place;
  const authorization = await postForm(place, '/auth/device/code', {
    scope: SCOPE,
    device_name: readMachineName(),
  });
  const { device_code, user_code, verification_uri, interval } = authorization;
  if (
    typeof device_code !== 'string' ||
    typeof user_code !== 'string' ||
    typeof verification_uri !== 'string'
  )
    throw new SvcError('unreachable', `The control plane at ${place.url} sent no code.`);
  io.err(
    `Open ${verification_uri} in a browser on any machine and type this code:\n\n  ${user_code}\n\n`,
  );
  io.err('Waiting for you to allow this machine there. The code works for ten minutes.\n');
  let seconds = typeof interval === 'number' ? interval : STEP_SECONDS;
  for (;;) {
    await new Promise<void>((resolve) => {
      io.after(seconds * 1000, resolve);
    });
    try {
      return await requestTokens(place, { grant_type: GRANT, device_code });
    } catch (error) {
      seconds = planNextPoll(error, seconds);
    }
  }
}

/** Seconds until the next question. Throws what ends the login. */
function planNextPoll(error: unknown, seconds: number): number {
  if (error instanceof OauthRefusal && error.code === 'slow_down') return seconds + STEP_SECONDS;
  if (error instanceof OauthRefusal && error.code === 'authorization_pending') return seconds;
  // Not reached: RFC 8628, 3.5 asks for a longer pause, and the code may still be allowed.
  if (error instanceof SvcError && error.code === 'unreachable') return seconds * 2;
  throw error;
}

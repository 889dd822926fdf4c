import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { McpError } from '@modelcontextprotocol/sdk/types.js';
import { toErrorMessage } from '../../../base/errors/errors.ts';
import { BROKEN_STREAM } from '../transport/httpTransport.ts';
import { isSessionGone } from './toolServerFault.ts';

/** A call without an answer; the message is for the model. */
export class LostCall extends Error {
  constructor(why: string, outcome: 'not carried out' | 'unknown') {
    super(
      `${why}. ${outcome === 'unknown' ? 'Whether the call was carried out is unknown.' : 'The call was not carried out.'}`,
    );
    this.name = 'LostCall';
  }
}

export const isSdkTimeout = (error: unknown): boolean =>
  error instanceof McpError && / timed out| exceeded/i.test(error.message);

/** Whether the server has answered with a refusal of the call. */
export const isRefusedByServer = (error: unknown): boolean =>
  error instanceof McpError &&
  !isSdkTimeout(error) &&
  !error.message.endsWith(BROKEN_STREAM) &&
  !error.message.endsWith('Connection closed');

/** Whether the server no longer knows the session, so it has not run the call. */
export const isLostSession = (error: unknown, transport: Pick<Transport, 'sessionId'>): boolean =>
  transport.sessionId === undefined
    ? // The older transport has no id: the address for messages is the session.
      /^Error POSTing to endpoint \(HTTP 4(00|04|10)\)/.test(toErrorMessage(error))
    : isSessionGone(error);

import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';

/** Error code of an answer that could not be read: JSON-RPC's "internal error". */
const INTERNAL_ERROR = -32_603;

/** A tool server's unanswered requests, which match an answer without an id to its request. */
export class OpenRequests {
  readonly #ids = new Set<RequestId>();

  add(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message)) this.#ids.add(message.id);
    else if ('method' in message && message.method === 'notifications/cancelled')
      this.#ids.delete(message.params?.requestId as RequestId);
  }

  settle(message: JSONRPCMessage): JSONRPCMessage {
    if (!isJSONRPCErrorResponse(message) && !isJSONRPCResultResponse(message)) return message;
    if (message.id === undefined) {
      const id = this.#only();
      if (id === null || !('error' in message)) return message;
      this.#ids.delete(id);
      return { ...message, id };
    }
    // Some servers return ids as texts.
    this.#ids.delete(message.id);
    this.#ids.delete(Number(message.id));
    return message;
  }

  /** An error for the only open request; null if none or several are open. */
  fail(message: string): JSONRPCMessage | null {
    const id = this.#only();
    if (id === null) return null;
    this.#ids.delete(id);
    return { jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message } };
  }

  #only(): RequestId | null {
    const [id, ...others] = this.#ids;
    return id === undefined || others.length > 0 ? null : id;
  }
}

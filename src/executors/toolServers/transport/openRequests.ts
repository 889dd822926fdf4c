import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';

/** Error code of an answer that could not be read: JSON-RPC's "internal error". */
const INTERNAL_ERROR = -32_603;

/** The requests that a tool server has not answered, so that an answer without an id finds its own. */
export class OpenRequests {
  readonly #ids = new Set<RequestId>();

  /** Notes a message that is sent. */
  add(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message)) this.#ids.add(message.id);
    else if ('method' in message && message.method === 'notifications/cancelled')
      this.#ids.delete(message.params?.requestId as RequestId);
  }

  /**
   * Notes a message that has come. An error that names no request is given the id of the only one
   * that is open: servers answer so to what they do not understand.
   */
  settle(message: JSONRPCMessage): JSONRPCMessage {
    if (!isJSONRPCErrorResponse(message) && !isJSONRPCResultResponse(message)) return message;
    if (message.id === undefined) {
      const id = this.#only();
      if (id === null || !('error' in message)) return message;
      this.#ids.delete(id);
      return { ...message, id };
    }
    // Some servers make texts of ids.
    this.#ids.delete(message.id);
    this.#ids.delete(Number(message.id));
    return message;
  }

  /** An error for the only request that is open; null where several are open, or none. */
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

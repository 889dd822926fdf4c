/** Why a control plane closes the socket of a runner: codes of WebSocket's private range. */
export const CLOSE_CODES = {
  /** A malformed frame, or an unknown one that must be understood. */
  protocol: 4400,
  /** The token was revoked, or its team deleted: trying again does not help. */
  revoked: 4401,
  /** The runner speaks no version that this control plane does. */
  version: 4406,
  /** No frame arrived for too long. */
  lost: 4408,
  /** Another process uses this token; the one that is closed must stop trying. */
  replaced: 4409,
  /** The same process has connected again: nothing has to be done. */
  reconnected: 4410,
  /** Another runner continues the home of this one; GET /runner/home says which. */
  fenced: 4411,
  /** More was unread than a socket may hold. */
  slow: 4413,
} as const;

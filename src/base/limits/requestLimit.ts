/** Requests a minute of each person at a node; `svc cloud start --request-limit` sets it. */
export const REQUEST_LIMIT = 600;
export const MIN_REQUEST_LIMIT = 60;
export const MAX_REQUEST_LIMIT = 1_000_000;

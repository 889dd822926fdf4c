/** Version of the frames; a control plane speaks this one and the one before. */
export const CHANNEL_VERSION = 1;
/** Oldest version that is still spoken. */
export const OLDEST_CHANNEL_VERSION = 1;

/** Bytes before the head, which say how long it is. */
export const LENGTH_BYTES = 4;
/** Longest head of a frame, bytes. */
export const MAX_HEAD_BYTES = 64 * 1024;
/** Longest body of a frame, bytes. Longer bodies come in parts. */
export const MAX_PART_BYTES = 64 * 1024;
/** Longest frame, bytes: what a socket must take as one message. */
export const MAX_FRAME_BYTES = LENGTH_BYTES + MAX_HEAD_BYTES + MAX_PART_BYTES;

/** Longest body of a request, bytes: the longest that a runner takes from anyone. */
export const MAX_REQUEST_BYTES = 12 * 1024 * 1024;
/** Bodies of requests that a runner holds at the same time, bytes. */
export const MAX_HELD_REQUEST_BYTES = 4 * MAX_REQUEST_BYTES;
/** Requests to one runner that are open at the same time, streams included. */
export const MAX_OPEN_REQUESTS = 256;
/** Of those, requests of one member of the team: no one may use up a runner for all others. */
export const MAX_OPEN_REQUESTS_OF_MEMBER = 64;
/** Parts of a reply that may be sent before the reader has asked for more. */
export const PART_CREDITS = 16;

/** Between two beats of a runner, ms. */
export const BEAT_MS = 10_000;
/** A side that was silent for this long counts as lost, ms. */
export const LOST_MS = 60_000;
/** How long a socket may take for its hello, ms. */
export const HELLO_MS = 15_000;

/** Frames with rows of the list that may be sent before the first is acknowledged. */
export const MAX_UNACKNOWLEDGED_JOBS = 4;

/** Most rows of the list in one frame. */
export const MAX_ROWS = 1_000;
/** Most bytes of rows that come with an entry; with more, all of them come later. */
export const MAX_ENTRY_ROWS_BYTES = 48 * 1024;

/** Largest entry of a home's log, bytes (compressed). */
export const MAX_ENTRY_BYTES = 128 * 1024 * 1024;
/** Entries and bytes of one home that a node takes in a second; more is slowed down, never refused. */
export const COMMITS_PER_SECOND = 50;
export const COMMIT_BYTES_PER_SECOND = 2 * 1024 * 1024;
/** Most homes of others that one runner takes over at the same time. */
export const MAX_ADOPTED_HOMES = 16;
/** Share of the takeover window that an answered beat lets a runner act. */
export const LEASE_SHARE = 0.75;

/** Longest body of a webhook, bytes: the longest that a runner takes from a sender. */
export const MAX_HOOK_BYTES = 5 * 1024 * 1024;
/** Most characters of what a runner says of a webhook. */
export const MAX_HOOK_REASON_CHARS = 1_000;
/** Most manifests of webhooks that a hello names. */
export const MAX_OFFERED_MANIFESTS = 50;
/** Most senders of a team that are named to its runners. */
export const MAX_NAMED_SENDERS = 500;

/**
 * Limits of plan-mode chats. There is no budget of turns or tokens (specification, plan-mode
 * intake): these bound single texts and what is kept in memory.
 */

/** Most rounds of look-ups in one turn: INTAKE_MAX_TOOL_ROUNDS. */
export const INTAKE_MAX_TOOL_ROUNDS = 25;
/** An idle chat leaves the memory after this time, ms: 12 h. */
export const CHAT_IDLE_MS = 12 * 60 * 60 * 1000;
/** All chats in memory together; the one that was used longest ago leaves first, bytes. */
export const CHATS_BYTES = 64 * 1024 * 1024;
export const MAX_CHAT_MESSAGE_CHARS = 100_000;
/** Longest findings, characters; the rest is dropped with a note. */
export const MAX_FINDINGS_CHARS = 256 * 1024;
/** Most entries of a transcript that seeds a chat, and characters of it. */
export const MAX_SEED_ENTRIES = 400;
export const MAX_SEED_CHARS = 2_000_000;
/** Largest snapshot of a transcript that the dashboard stores, characters of its JSON. */
export const MAX_ITEMS_CHARS = 4_000_000;
/** Longest answer of a look-up that the model is shown in its own turn, characters. */
export const MAX_LOOKUP_CHARS = 60_000;
/** The same in later turns, as evidence. */
export const MAX_REPLAYED_CHARS = 12_000;
/** Frames of one chat that are kept for readers who come back, bytes. */
export const FRAMES_KEPT_BYTES = 512 * 1024;
/** The same, once its turns are over: those who missed more read the chat again. */
export const SETTLED_FRAMES_BYTES = 64 * 1024;
/** Unsent bytes at which a slow reader is cut; the turn continues. */
export const SLOW_READER_BYTES = 256 * 1024;
/** Deltas after the first one are joined until this many characters or this time, ms. */
export const DELTA_CHARS = 256;
export const DELTA_MS = 25;
/** How long stopping a turn may take before it is reported as stopped regardless, ms. */
export const STOP_CHAT_MS = 5_000;
/** Most places that one request checks. */
export const MAX_CITATION_REFS = 500;

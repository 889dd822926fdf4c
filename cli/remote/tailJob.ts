import type { Client } from '../../src/api/client/client.ts';
import { followJob, type StreamFrame } from '../../src/api/client/stream.ts';
import type { StateFrame } from '../../src/contract/schema/job/frames.ts';
import { formatFrame, isStateFrame } from '../render/job/formatFrame.ts';
import type { Io } from '../io.ts';
import { type Outcome, deriveOutcome } from '../deriveOutcome.ts';

/** After this long without a frame the job's past is taken to be complete, ms. */
const PAST_SETTLES_MS = 250;

export interface TailOptions {
  client: Client;
  jobId: string;
  io: Io;
  show(text: string): void;
  json: boolean;
  /** Epoch ms; frames from before are the past. */
  since: number;
  /** Newest frames of the past to show; null = all of them. */
  past: number | null;
  /** Ends as soon as the job has ended or waits for a person; else only when the job has ended. */
  untilOutcome: boolean;
  /** Longest wait; null = without end. */
  timeoutMs: number | null;
  /** False: ends once the past is shown. Default: true. */
  follow?: boolean;
  /** Number of the frame after which to begin; default 0 = from the start. */
  after?: number;
  /** What a state means for the wait; default: {@link deriveOutcome}. */
  toOutcome?: (state: StateFrame) => Outcome | null;
}

/**
 * Follows a job's stream until it ends, the time is over or Ctrl-C detaches. Never changes the job.
 * Returns how the job ended; null if the stream did not say. A lost connection is reopened. Throws
 * SvcError `unreachable` when no runner answers at the beginning, and ClientError when it refuses.
 */
export async function tailJob(options: TailOptions): Promise<Outcome | null> {
  const {
    client,
    jobId,
    io,
    show,
    json,
    since,
    past,
    untilOutcome,
    timeoutMs,
    follow = true,
    after = 0,
    toOutcome: meaning = deriveOutcome,
  } = options;
  const stop = new AbortController();
  let outcome: Outcome | null = null;
  let heldLines: string[] | null = past === null ? null : [];
  let latest: Outcome | null = null;
  let unsettle = () => {};

  const finish = (as: Outcome) => {
    outcome ??= as;
    stop.abort();
  };
  const release = () => {
    unsettle();
    const lines = heldLines ?? [];
    heldLines = null;
    if (past !== null && past > 0) for (const line of lines.slice(-past)) show(line);
  };
  let before: Pick<StateFrame, 'status' | 'parked'> | null = null;
  /**
   * Every step sends a state frame; only those that change what a person sees are shown. An
   * approved job continues with another status, which is shown instead of the old one.
   */
  const isNews = ({ kind, data }: StreamFrame): boolean => {
    if (kind !== 'state' || !isStateFrame(data)) return true;
    const last = before;
    before = data;
    if (last === null || last.status !== data.status) return true;
    if (last.parked?.kind === 'approval' && data.parked === null) return false;
    return last.parked?.reason !== data.parked?.reason;
  };
  const onFrame = (frame: StreamFrame) => {
    const text = json
      ? `${JSON.stringify(frame)}\n`
      : isNews(frame)
        ? formatFrame(frame, io.color)
        : null;
    if (text !== null) {
      if (heldLines !== null && readFrameTime(frame) >= since) release();
      if (heldLines === null) show(text);
      else {
        heldLines.push(text);
        unsettle();
        unsettle = io.after(PAST_SETTLES_MS, release);
      }
    }
    if (frame.kind !== 'state' || !isStateFrame(frame.data)) return;
    latest = meaning(frame.data);
    if (untilOutcome && latest !== null) finish(latest);
  };

  const releasers = [
    io.onInterrupt(() => finish('detached')),
    timeoutMs === null ? () => {} : io.after(timeoutMs, () => finish('timeout')),
  ];
  try {
    const onLost = () => io.err('Connection lost; reconnecting. Ctrl-C detaches.\n');
    await followJob({ client, jobId, after, signal: stop.signal, follow, onFrame, onLost });
  } finally {
    for (const each of releasers) each();
    release();
  }
  return outcome ?? latest;
}

const readFrameTime = ({ data }: StreamFrame): number =>
  typeof data === 'object' && data !== null && 'at' in data ? Date.parse(String(data.at)) : 0;

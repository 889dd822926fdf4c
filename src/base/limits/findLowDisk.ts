import { isJobUnreadable } from '../jobs/isJobUnreadable.ts';

/** Default of `runner.minFreeDiskMb`, MB of 1,048,576 bytes. */
export const DEFAULT_MIN_FREE_DISK_MB = 1024;
/**
 * A disk that was low counts as having room again at this multiple of the limit, so that it does
 * not flap.
 */
const ROOM_AGAIN = 1.25;
/** Below this share of the limit a session is stopped even in the middle of a tool call. */
const URGENT_SHARE = 0.1;
const MB = 1024 * 1024;

/** What is free on the disk of a folder, bytes. */
export interface FreeSpace {
  folder: string;
  bytes: number;
}

/** A disk with too little room for sessions; all in MB. */
export interface LowDisk {
  folder: string;
  freeMb: number;
  /** The limit, `runner.minFreeDiskMb`. */
  minMb: number;
  /** Sessions start again at this size. */
  roomMb: number;
  /** So little is free that sessions end at once. */
  urgent: boolean;
}

/**
 * The fullest of the disks that are low; null = all have room. `wasLow`: sessions wait for room
 * already. A limit of 0 MB is off.
 */
export function findLowDisk(
  spaces: readonly FreeSpace[],
  minMb: number,
  wasLow: boolean,
): LowDisk | null {
  if (minMb === 0) return null;
  const roomMb = Math.ceil(minMb * ROOM_AGAIN);
  const [fullest] = spaces
    .filter(({ bytes }) => bytes < (wasLow ? roomMb : minMb) * MB)
    .sort((a, b) => a.bytes - b.bytes);
  if (!fullest) return null;
  const { folder, bytes } = fullest;
  const urgent = bytes < minMb * URGENT_SHARE * MB;
  return { folder, freeMb: Math.floor(bytes / MB), minMb, roomMb, urgent };
}

/** `1,024 MB` */
export const formatMegabytes = (mb: number): string => `${mb.toLocaleString('en-US')} MB`;

export const describeLowDisk = ({ folder, freeMb, minMb, roomMb }: LowDisk): string =>
  `the disk of ${folder} has ${formatMegabytes(freeMb)} free; sessions start by themselves once it has ${formatMegabytes(roomMb)} (runner.minFreeDiskMb is ${minMb})`;

/**
 * Why a job in a list is not started: nothing else gives a queued job a reason. null = the disk
 * does not hold it back.
 */
export const explainDiskWait = (job: {
  ended: boolean;
  parked: unknown;
  reason: string | null;
  broken?: readonly { table: string }[];
}): string | null =>
  job.ended || job.parked !== null || isJobUnreadable(job.broken) ? null : job.reason;

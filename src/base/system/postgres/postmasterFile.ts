import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissingFile } from '../../errors/findErrorCode.ts';

/** What a running server writes into its data folder. */
export interface PostmasterFile {
  pid: number;
  /** Folder of its Unix socket; empty until it has one. */
  socketFolder: string;
  port: string;
  isReady: boolean;
}

/** Lines of `postmaster.pid`, in their order since PostgreSQL 10. */
const LINE = { pid: 0, port: 3, socketFolder: 4, status: 7 };

/** Null = no server is running, or one that has just begun to write it. */
export async function readPostmasterFile(data: string): Promise<PostmasterFile | null> {
  let text: string;
  try {
    text = await readFile(join(data, 'postmaster.pid'), 'utf8');
  } catch (error) {
    if (isMissingFile(error)) return null;
    throw error;
  }
  const lines = text.split('\n').map((line) => line.trim());
  const pid = Number.parseInt(lines[LINE.pid] ?? '', 10);
  if (!(pid > 0)) return null;
  return {
    pid,
    port: lines[LINE.port] ?? '',
    socketFolder: lines[LINE.socketFolder] ?? '',
    isReady: lines[LINE.status] === 'ready',
  };
}

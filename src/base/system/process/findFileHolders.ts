import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

export interface FileHolder {
  pid: number;
  /** Name of its program, such as `sqlite3`; its arguments may hold secrets. Empty where it cannot be read. */
  program: string;
}

/**
 * The processes that have the file open, as far as this user may see them. Only on Linux, which lists
 * them in /proc; empty elsewhere, and where the file does not exist. Never throws.
 */
export function findFileHolders(file: string, proc = '/proc'): FileHolder[] {
  let path: string;
  let pids: number[];
  try {
    path = realpathSync(file);
    pids = readdirSync(proc).map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
  return pids
    .filter((pid) => hasOpen(join(proc, String(pid), 'fd'), path))
    .map((pid) => ({ pid, program: readName(join(proc, String(pid), 'comm')) }));
}

function hasOpen(descriptors: string, path: string): boolean {
  try {
    return readdirSync(descriptors).some((fd) => isLinkTo(join(descriptors, fd), path));
  } catch {
    // The process has ended, or belongs to another user.
    return false;
  }
}

function isLinkTo(link: string, path: string): boolean {
  try {
    return readlinkSync(link) === path;
  } catch {
    return false;
  }
}

function readName(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
}

/** The processes for people: `process 12 (sqlite3)`, `processes 12 (node) and 13`; null = none is known. */
export function describeHolders(holders: readonly FileHolder[]): string | null {
  const each = holders.map(({ pid, program }) =>
    program === '' ? `${pid}` : `${pid} (${program})`,
  );
  const last = each.pop();
  if (last === undefined) return null;
  return each.length === 0 ? `process ${last}` : `processes ${each.join(', ')} and ${last}`;
}

import { SvcError } from '../base/errors/errors.ts';

/** An object as `git cat-file --batch` begins to print it. */
export interface ObjectHeader {
  /** The id that was asked for, or `<commit>:<path>` where it is missing. */
  oid: string;
  /** `commit`, `tree`, `blob` or `tag`. */
  type: string;
  /** Bytes. */
  size: number;
}

export interface ObjectTaker {
  push(piece: Buffer): void;
  end(): void;
}

const NEWLINE = 0x0a;

/**
 * Reads what `git cat-file --batch` prints, piece by piece, so that no object is held in memory.
 * `begin` is called for each object, `missing` for each one that does not exist; default: throw
 * SvcError `internal`.
 */
export function createObjectReader(
  begin: (header: ObjectHeader) => ObjectTaker,
  missing: () => void = () => {
    throw new SvcError('internal', 'An object of the branch could not be read.');
  },
): (piece: Buffer) => void {
  let line = '';
  let taker: ObjectTaker | null = null;
  let remainingBytes = 0;
  /** The line break after an object. */
  let isBreakDue = false;

  const finish = () => {
    taker?.end();
    taker = null;
    isBreakDue = true;
  };
  const readLine = (piece: Buffer, at: number): number => {
    const end = piece.indexOf(NEWLINE, at);
    line += piece.toString('latin1', at, end === -1 ? piece.length : end);
    if (end === -1) return piece.length;
    const [, oid, type, size] = /^([0-9a-f]+) (commit|tree|blob|tag) (\d+)$/.exec(line) ?? [];
    line = '';
    if (oid === undefined || type === undefined) missing();
    else {
      remainingBytes = Number(size);
      taker = begin({ oid, type, size: remainingBytes });
      if (remainingBytes === 0) finish();
    }
    return end + 1;
  };
  return (piece) => {
    for (let at = 0; at < piece.length; ) {
      if (isBreakDue) {
        isBreakDue = false;
        at += 1;
      } else if (taker === null) at = readLine(piece, at);
      else {
        const end = Math.min(piece.length, at + remainingBytes);
        taker.push(piece.subarray(at, end));
        remainingBytes -= end - at;
        at = end;
        if (remainingBytes === 0) finish();
      }
    }
  };
}
